// A function in a process of its own: loads it as Lambda does, and prints what it is asked for as JSON.
'use strict';
const { readFileSync } = require('node:fs');
const { pathToFileURL } = require('node:url');

const [mode, entry, eventFile] = process.argv.slice(2);
const input = JSON.parse(readFileSync(eventFile, 'utf8'));
const eventText = JSON.stringify(input.event);
const context = { awsRequestId: 'bench', functionName: 'bench', getRemainingTimeInMillis: () => 10_000 };

const now = () => process.hrtime.bigint();
const msSince = (start) => Number(now() - start) / 1e6;
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};
/** A fresh event each time, as the runtime parses one, and an answer that must be a success. */
async function call(handler) {
  const answer = await handler(JSON.parse(eventText), context);
  if (answer.statusCode !== 200 && answer.principalId === undefined) throw new Error(JSON.stringify(answer));
}

const load = async () => (entry.endsWith('.mjs') ? import(pathToFileURL(entry).href) : require(entry));

/** Init and first call in milliseconds, then the CPU time and the memory of the whole process so far. */
async function cold() {
  const loading = now();
  const { handler } = await load();
  const initMs = msSince(loading);
  const calling = now();
  await call(handler);
  const firstCallMs = msSince(calling);
  return { initMs, firstCallMs, cpuMs: cpuMs(), rssBytes: process.memoryUsage.rss() };
}

const WARM_CALLS = 5_000;
const ALL_CALLS = 20_000;

/** Between call 5,000 and call 20,000, over a faked transport: CPU per call, and how memory grew. */
async function warm() {
  require('./fake-transport.cjs')((target) => input.replies[target.replace(/^.*\./, '')] ?? '{}');
  const { handler } = await load();
  for (let call = 0; call < WARM_CALLS; call += 1) await call(handler);
  const [cpu, rss] = [cpuMs(), process.memoryUsage.rss()];
  for (let call = WARM_CALLS; call < ALL_CALLS; call += 1) await call(handler);
  const calls = ALL_CALLS - WARM_CALLS;
  return {
    warmCpuUs: ((cpuMs() - cpu) * 1_000) / calls,
    rssGrowthBytes: process.memoryUsage.rss() - rss,
  };
}

/** What it answers to each event of a table. */
async function answers() {
  const { handler } = await load();
  const all = [];
  for (const event of input.events) {
    all.push(await handler(event, context).catch(({ message }) => ({ thrown: message })));
  }
  return all;
}

const modes = { cold, warm, answers };
modes[mode]().then((result) => {
  // Functions may log: the result is the last line.
  process.stdout.write(`\n${JSON.stringify(result)}\n`, () => process.exit());
});
