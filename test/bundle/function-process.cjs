// A function in a process of its own, as in Lambda: loads the asset's entry, then replies to each message.
'use strict';
const { pathToFileURL } = require('node:url');

const [entry] = process.argv.slice(2);

// A busy machine can take longer than the warm-up waits, and this is not what most tests are about.
const { TIMER_FACTOR = '1' } = process.env;
const { setTimeout } = globalThis;
globalThis.setTimeout = (callback, delayMs, ...args) => setTimeout(callback, delayMs * TIMER_FACTOR, ...args);

const warnings = [];
process.on('warning', ({ message }) => warnings.push(message));

process.on('message', async ({ event, remainingTimeMs, heap, warned, usage }) => {
  if (heap) {
    globalThis.gc();
    process.send({ heapBytes: process.memoryUsage().heapUsed });
    return;
  }
  if (usage) {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
    process.send({ usage: { cpuSeconds, peakMemoryBytes: maxRSS * 1024 } });
    return;
  }
  if (warned) {
    process.send({ warnings });
    return;
  }
  const deadline = Date.now() + remainingTimeMs;
  const context = { awsRequestId: 'test', getRemainingTimeInMillis: () => deadline - Date.now() };
  try {
    process.send({ result: await handler(event, context) });
  } catch (error) {
    process.send({ error: error.message });
  }
});

let handler;
import(pathToFileURL(entry).href).then(
  (loaded) => {
    ({ handler } = loaded);
    process.send({ ready: true });
  },
  ({ message }) => {
    // Node itself would print the minified code as well.
    console.error(message);
    process.exit(1);
  },
);
