// A function in a process of its own, as in Lambda: loads the asset's entry, then answers what it is asked.
'use strict';
const { pathToFileURL } = require('node:url');

const fs = require('node:fs/promises');

const [entry] = process.argv.slice(2);

const filesRead = [];
const { readFile } = fs;
fs.readFile = (path, ...rest) => {
  filesRead.push(String(path));
  return readFile(path, ...rest);
};

process.on('message', async ({ event, remainingTimeMs, heap, files }) => {
  if (heap) {
    globalThis.gc();
    process.send({ heapBytes: process.memoryUsage().heapUsed });
    return;
  }
  if (files) {
    process.send({ filesRead });
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
import(pathToFileURL(entry).href).then((loaded) => {
  ({ handler } = loaded);
  process.send({ ready: true });
});
