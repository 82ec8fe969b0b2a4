// Prints the CPU time in ms, as JSON, that a function takes for its init and for its first request in this process.
import { pathToFileURL } from 'node:url';

const [entry = '', event = ''] = process.argv.slice(2);

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const begun = cpuMs();
const module = await import(pathToFileURL(entry).href);
const { handler } = module['module.exports'] ?? module;
const ready = cpuMs();
const context = {
  awsRequestId: 'bench',
  functionName: 'bench',
  getRemainingTimeInMillis: () => 10_000,
};
const result = await handler(JSON.parse(event), context);
const responded = cpuMs();
if (result.statusCode !== 200) throw new Error(JSON.stringify(result));
console.log(`\n${JSON.stringify({ init: ready - begun, first: responded - ready })}`);
process.exit();
