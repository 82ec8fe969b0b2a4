// Runs a function in a separate process, as Lambda does. Loads the function's entry point, then replies to messages.
'use strict';
const { pathToFileURL } = require('node:url');

const [entry] = process.argv.slice(2);

// Tests lengthen timeouts that a busy machine would exceed, and shorten timeouts that they wait for.
const { TIMER_FACTOR = '1' } = process.env;
const { setTimeout } = globalThis;
globalThis.setTimeout = (callback, delayMs, ...args) =>
  setTimeout(callback, delayMs * TIMER_FACTOR, ...args);

const warnings = [];
process.on('warning', ({ message }) => warnings.push(message));

process.on('message', async ({ event, times, remainingTimeMs }) => {
  if (event === undefined) {
    globalThis.gc();
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    process.send({
      heapBytes: process.memoryUsage().heapUsed,
      peakMemoryBytes: maxRSS * 1024,
      cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
      warnings,
    });
    return;
  }
  const deadline = Date.now() + remainingTimeMs;
  const context = { awsRequestId: 'test', getRemainingTimeInMillis: () => deadline - Date.now() };
  try {
    let result;
    for (let call = 0; call < times; call += 1)
      result = await handler(structuredClone(event), context);
    process.send({ result });
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
    // Prints only the message, because Node would also print the minified code.
    console.error(message);
    process.exit(1);
  },
);
