/** `npm start`: runs the whole service on this machine until Ctrl-C. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  announceEmulator,
  type Emulator,
  EmulatorError,
  type RunningVersion,
  type Settings,
  settingsFrom,
  startEmulator,
  synthesize,
  withdrawEmulator,
} from '../emulator/index.ts';
import { BUNDLES_FOLDER, TOKENS_TABLE_OUTPUT } from '../lib/names.ts';
import { Bundler } from '../start/bundler.ts';
import { endInspector, inspectPort, openInspector } from '../start/debugger.ts';
import { introduction } from '../start/introduction.ts';
import { Reloader } from '../start/reload.ts';
import { logAsJson, logForPeople } from '../start/request-log.ts';
import { localDynamoDB } from '../tokens/connect.ts';
import { tokenStore } from '../tokens/token-store.ts';
import { issueToken, nowSeconds } from '../tokens/tokens.ts';

const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;
const PARENT_CHECK_MS = 250;

const project = join(import.meta.dirname, '..');
for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
const interrupted = untilInterrupted();
// Source maps are relative to the real path.
const builds = await mkdtemp(join(await realpath(tmpdir()), 'plant-store-'));
let emulator: Emulator | undefined;
let reloader: Reloader | undefined;
// Stdout has the log of the requests and nothing else, so that `npm start > plant-store.log` leaves the rest on the terminal.
const log = (process.env.LOG === 'json' ? logAsJson : logForPeople)((line) => console.log(line));
try {
  const settings = settingsFrom(process.env);
  const started = await Promise.race([start(settings), interrupted]);
  if (started !== undefined) {
    // The emulator stops by itself, and logs why, if its DynamoDB ends.
    const failed = await Promise.race([interrupted.then(() => false), started.stopped.then(() => true)]);
    if (failed) process.exitCode = 1;
    else console.error('\nStopping …');
    await withdrawEmulator(settings.dataDir);
    endInspector(removeBuilds);
  }
} catch (error) {
  if (!(error instanceof EmulatorError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await Promise.all([removeBuilds(), emulator?.stop()]);
}
// What was still starting when it was interrupted ends with this process.
process.exit();

async function removeBuilds(): Promise<void> {
  await reloader?.stop();
  await rm(builds, { recursive: true, force: true });
}

/** Ctrl-C in `npm start | tee plant-store.log` ends tee first: the emulator still has to stop cleanly. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/**
 * Resolves on Ctrl-C, on SIGTERM, when the terminal is closed, and when the npm that started this process has ended:
 * npm forwards no SIGTERM.
 */
function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
    process.once('SIGHUP', () => resolve());
    if (process.env.npm_lifecycle_event === undefined) return;
    const npm = process.ppid;
    setInterval(() => process.ppid !== npm && resolve(), PARENT_CHECK_MS).unref();
  });
}

async function start(settings: Settings): Promise<Emulator> {
  const debuggerPort = inspectPort(process.argv.slice(2));
  const issued = Promise.withResolvers<string>();
  emulator = await startEmulator({
    ...settings,
    log: log.line,
    observer: log,
    debugged: debuggerPort !== undefined,
    docsPage: { openapi: join(project, 'openapi.json'), accessToken: issued.promise },
  });
  if (debuggerPort !== undefined) openInspector(debuggerPort);
  let count = 0;
  reloader = new Reloader({
    project,
    emulator,
    bundler: new Bundler(builds),
    synthesize: async (signal) => {
      const output = join(builds, `assembly.${++count}`);
      // The bundles stay where they are, under the names of their functions.
      const context = { [BUNDLES_FOLDER]: builds, 'aws:cdk:disable-asset-staging': true };
      await synthesize({ project, output, context, signal });
      return output;
    },
    print: (message) => console.error(message),
  });
  const version = { ...emulator, ...(await reloader.first) };
  await announceEmulator(settings.dataDir, version);
  const token = await newToken(version);
  issued.resolve(token ?? '');
  console.error(introduction(version, token));
  return emulator;
}

/** @returns undefined if an OpenID Connect provider issues the tokens */
async function newToken({
  dynamodbEndpoint,
  outputs,
}: Emulator & RunningVersion): Promise<string | undefined> {
  const table = outputs[TOKENS_TABLE_OUTPUT];
  if (table === undefined) return undefined;
  const expiresAt = nowSeconds() + TOKEN_LIFETIME_SECONDS;
  const store = tokenStore(localDynamoDB(dynamodbEndpoint), table);
  return (await issueToken(store, { name: 'npm start', expiresAt })).text;
}
