// Loads a function as Lambda does, measures it or collects its results, and prints them as JSON.
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
const clocks = () => ({ wallMs: performance.now(), cpuMs: cpuMs() });

/** Invokes the handler with a newly parsed event, as the runtime does. @throws Error if it does not succeed */
async function succeed(handler) {
  const result = await handler(JSON.parse(eventText), context);
  if (result.statusCode !== 200 && result.principalId === undefined) throw new Error(JSON.stringify(result));
}

const load = async () => (entry.endsWith('.mjs') ? import(pathToFileURL(entry).href) : require(entry));

/** Wall-clock and CPU time of init and the first call, and CPU time and memory of the whole process. */
async function cold() {
  const begun = clocks();
  const { handler } = await load();
  const ready = clocks();
  await succeed(handler);
  const responded = clocks();
  return {
    init: { wallMs: ready.wallMs - begun.wallMs, cpuMs: ready.cpuMs - begun.cpuMs },
    firstCall: { wallMs: responded.wallMs - ready.wallMs, cpuMs: responded.cpuMs - ready.cpuMs },
    processCpuMs: responded.cpuMs,
    rssBytes: process.memoryUsage.rss(),
  };
}

const WARM_CALLS = 5_000;
const ALL_CALLS = 20_000;

/** CPU time per call and growth of memory from call 5,000 to call 20,000, over a fake transport. */
async function warm() {
  require('./fake-transport.cjs')((target) => input.replies[target.replace(/^.*\./, '')] ?? '{}');
  const { handler } = await load();
  for (let call = 0; call < WARM_CALLS; call += 1) await succeed(handler);
  const [cpu, rss] = [cpuMs(), process.memoryUsage.rss()];
  for (let call = WARM_CALLS; call < ALL_CALLS; call += 1) await succeed(handler);
  const calls = ALL_CALLS - WARM_CALLS;
  return {
    warmCpuUs: ((cpuMs() - cpu) * 1_000) / calls,
    rssGrowthBytes: process.memoryUsage.rss() - rss,
  };
}

/** The result of each event, and the lines that the function logs for it. */
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

/** A log line without times, and without the details of an error, which differ between implementations. */
function comparable({ timestamp, name, message, stack, cause, ...line }) {
  if (line._aws) line._aws.Timestamp = 0;
  for (const time of ['PutLatency', 'Duration']) if (time in line) line[time] = 0;
  return line;
}

const modes = { cold, warm, results };
modes[mode]().then((result) => {
  // Functions may log: the result is the last line.
  process.stdout.write(`\n${JSON.stringify(result)}\n`, () => process.exit());
});
