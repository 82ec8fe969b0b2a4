// Loads a function as Lambda does, measures it or collects its results, and prints the measurements or results as JSON.
'use strict';
const { readFileSync } = require('node:fs');
const { pathToFileURL } = require('node:url');

const [mode, entry, eventFile] = process.argv.slice(2);
const input = JSON.parse(readFileSync(eventFile, 'utf8'));
const eventText = JSON.stringify(input.event);
const context = { awsRequestId: 'bench', functionName: 'bench', getRemainingTimeInMillis: () => 10_000 };

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};

/**
 * Invokes the handler with a newly parsed event, as Lambda does.
 *
 * @throws Error if the function rejects the event
 */
async function succeed(handler) {
  const result = await handler(JSON.parse(eventText), context);
  if (result.statusCode !== 200 && result.principalId === undefined) throw new Error(JSON.stringify(result));
}

const load = async () => (entry.endsWith('.mjs') ? import(pathToFileURL(entry).href) : require(entry));

/** Measures the CPU time of init, of the first request and of the whole process, and the process's memory. */
async function cold() {
  const begun = cpuMs();
  const { handler } = await load();
  const ready = cpuMs();
  await succeed(handler);
  const responded = cpuMs();
  return {
    initMs: ready - begun,
    firstCallMs: responded - ready,
    processMs: responded,
    rssBytes: process.memoryUsage.rss(),
  };
}

const WARM_CALLS = 5_000;
const ALL_CALLS = 20_000;

/** Measures the CPU time per request in µs, from request 5,000 to request 20,000, with the fake transport. */
async function warm() {
  require('./fake-transport.cjs')((target) => input.replies[target.replace(/^.*\./, '')] ?? '{}');
  const { handler } = await load();
  for (let call = 0; call < WARM_CALLS; call += 1) await succeed(handler);
  const begun = cpuMs();
  for (let call = WARM_CALLS; call < ALL_CALLS; call += 1) await succeed(handler);
  return ((cpuMs() - begun) * 1_000) / (ALL_CALLS - WARM_CALLS);
}

/** Collects the function's result for each event, and the lines that it logs. */
async function results() {
  const { handler } = await load();
  const all = [];
  for (const event of input.events) {
    const lines = [];
    const { write } = process.stdout;
    process.stdout.write = (line) => lines.push(comparable(JSON.parse(line))) > 0;
    const result = await handler(event, context).catch(({ message }) => ({ thrown: message }));
    process.stdout.write = write;
    all.push({ result, lines });
  }
  return all;
}

/** Removes times and error details from a log line, because they differ between implementations. */
function comparable({ timestamp, name, message, stack, cause, ...line }) {
  if (line._aws) line._aws.Timestamp = 0;
  for (const time of ['PutLatency', 'Duration']) if (time in line) line[time] = 0;
  return line;
}

const modes = { cold, warm, results };
modes[mode]().then((result) => {
  // The function may have printed log lines already, so measure.ts reads only the last line.
  process.stdout.write(`\n${JSON.stringify(result)}\n`, () => process.exit());
});
