// A function in a process of its own: loads it as Lambda does, and prints what it is asked for as JSON.
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

/** A fresh event each time, as the runtime parses one, and an answer that must be a success. */
async function succeed(handler) {
  const answer = await handler(JSON.parse(eventText), context);
  if (answer.statusCode !== 200 && answer.principalId === undefined) throw new Error(JSON.stringify(answer));
}

const load = async () => (entry.endsWith('.mjs') ? import(pathToFileURL(entry).href) : require(entry));

/** What init and the first call took, by the clock and in CPU time, and the whole process's CPU and memory. */
async function cold() {
  const begun = clocks();
  const { handler } = await load();
  const ready = clocks();
  await succeed(handler);
  const answered = clocks();
  return {
    init: { wallMs: ready.wallMs - begun.wallMs, cpuMs: ready.cpuMs - begun.cpuMs },
    firstCall: { wallMs: answered.wallMs - ready.wallMs, cpuMs: answered.cpuMs - ready.cpuMs },
    processCpuMs: answered.cpuMs,
    rssBytes: process.memoryUsage.rss(),
  };
}

const WARM_CALLS = 5_000;
const ALL_CALLS = 20_000;

/** Between call 5,000 and call 20,000, over a faked transport: CPU per call, and how memory grew. */
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

/** What it answers to each event of a table, and the lines that it writes of it. */
async function answers() {
  const { handler } = await load();
  const all = [];
  for (const event of input.events) {
    const lines = [];
    const { write } = process.stdout;
    process.stdout.write = (line) => lines.push(comparable(JSON.parse(line))) > 0;
    const answer = await handler(event, context).catch(({ message }) => ({ thrown: message }));
    process.stdout.write = write;
    all.push({ answer, lines });
  }
  return all;
}

/** A line without what differs from run to run, and without what a fault says of the code that it happened in. */
function comparable({ timestamp, name, message, stack, cause, ...line }) {
  if (line._aws) line._aws.Timestamp = 0;
  for (const time of ['PutLatency', 'Duration']) if (time in line) line[time] = 0;
  return line;
}

const modes = { cold, warm, answers };
modes[mode]().then((result) => {
  // Functions may log: the result is the last line.
  process.stdout.write(`\n${JSON.stringify(result)}\n`, () => process.exit());
});
