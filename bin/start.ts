/** `npm start`: runs the whole service on this machine until Ctrl-C. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { close as closeInspector } from 'node:inspector';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  announceEmulator,
  type Emulator,
  type RunningVersion,
  type Settings,
  settingsFrom,
  startEmulator,
  synthesize,
  UserError,
} from '@plant-store/emulator';
import { BUNDLES_FOLDER, OUTPUTS } from '../lib/names.ts';
import { docsPage } from '../tools/docs-page/docs-page.ts';
import { DATA_FOLDER, localDynamoDB } from '../tools/operator/connect.ts';
import { reportFailure } from '../tools/operator/run-command.ts';
import { Bundler } from '../tools/start/bundler.ts';
import { inspectPort, openInspector } from '../tools/start/debugger.ts';
import { CLIENT, HELP, introduction } from '../tools/start/introduction.ts';
import { Reloader } from '../tools/start/reload.ts';
import { logFor } from '../tools/start/request-log.ts';
import { tokenStore } from '../tools/tokens/token-store.ts';
import { issueToken } from '../tools/tokens/tokens.ts';

const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;

if (process.argv.includes('--help')) {
  console.log(HELP);
  process.exit();
}
const project = join(import.meta.dirname, '..');
let outputFailed = false;
for (const stream of [process.stdout, process.stderr]) stream.on('error', onOutputError);
const interrupted = new Promise<void>((resolve) => {
  // A closed terminal sends SIGHUP twice, and npm passes on a Ctrl-C that this process gets too.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
});
let builds: string | undefined;
let emulator: Emulator | undefined;
let reloader: Reloader | undefined;
let withdraw = async () => {};
try {
  const settings = settingsFrom(process.env, DATA_FOLDER);
  builds = await temporaryFolder();
  const started = await Promise.race([start(settings, builds), interrupted]);
  if (started !== undefined) {
    // If DynamoDB exits, the emulator stops by itself and logs why.
    const failed = await Promise.race([interrupted.then(() => false), started.stopped.then(() => true)]);
    if (failed) process.exitCode = 1;
    else console.error('\nStopping …');
  }
} catch (error) {
  reportFailure(error);
} finally {
  await withdraw();
  await Promise.all([reloader?.stop(), emulator?.stop()]);
  // Otherwise, Node would wait for the debugger to disconnect.
  closeInspector();
  if (builds !== undefined) await rm(builds, { recursive: true, force: true });
}
// Exiting also ends anything that was still starting.
process.exit();

/**
 * Keeps the emulator running if its output cannot be written. Ctrl-C in `npm start | tee plant-store.log` ends tee
 * first (EPIPE), and a terminal can be closed (EIO). In both cases, nobody could read an error message.
 */
function onOutputError({ code, message }: NodeJS.ErrnoException): void {
  if (outputFailed || code === 'EPIPE' || code === 'EIO') return;
  outputFailed = true;
  console.error(`Some output is lost, because it cannot be written: ${message}`);
}

/** @throws UserError if the folder cannot be created */
async function temporaryFolder(): Promise<string> {
  try {
    // Uses the real path, because the paths in source maps are relative to it.
    return await mkdtemp(join(await realpath(tmpdir()), 'plant-store-'));
  } catch (error) {
    throw new UserError(
      `The folder for temporary files cannot be used (${error}): set TMPDIR to another folder`,
    );
  }
}

async function start(settings: Settings, builds: string): Promise<Emulator> {
  // Only the request log goes to stdout, so `npm start > plant-store.log` leaves all other output on the terminal.
  const log = logFor(process.env.LOG, (line) => console.log(line));
  const shown = Promise.withResolvers<string>();
  const debuggerPort = inspectPort(process.argv.slice(2));
  emulator = await startEmulator({
    ...settings,
    log: log.line,
    observer: log,
    fallback: docsPage(shown.promise),
  });
  if (debuggerPort !== undefined) openInspector(debuggerPort);
  let count = 0;
  const print = (message: string) => console.error(message);
  reloader = new Reloader({
    project,
    emulator,
    bundler: new Bundler(builds),
    synthesize: async (signal) => {
      const output = join(builds, `assembly.${++count}`);
      // Without asset staging, each bundle stays in its build folder, which is named after the function.
      const context = { [BUNDLES_FOLDER]: builds, 'aws:cdk:disable-asset-staging': true };
      await synthesize({ project, output, context, signal });
      return output;
    },
    print,
  });
  const version = { ...emulator, ...(await reloader.first) };
  withdraw = await announceEmulator(settings.dataDir, version);
  const token = await newToken(version);
  shown.resolve(token ?? '');
  console.error(introduction(version, token, performance.now()));
  return emulator;
}

/** @returns a new access token, or undefined if an OpenID Connect provider issues the tokens */
async function newToken({ dynamodbEndpoint, outputs }: Emulator & RunningVersion) {
  const table = outputs[OUTPUTS.tokensTable];
  if (table === undefined) return undefined;
  const store = tokenStore(localDynamoDB(dynamodbEndpoint), table);
  const issued = await issueToken(store, { name: CLIENT, lifetimeSeconds: TOKEN_LIFETIME_SECONDS });
  return issued.text;
}
