/** `npm start`: runs the whole service on this machine until Ctrl-C. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  announceEmulator,
  assertAvailable,
  type Emulator,
  EmulatorError,
  type Settings,
  settingsFrom,
  startEmulator,
  withdrawEmulator,
} from '../emulator/index.ts';
import { TOKENS_TABLE_OUTPUT } from '../lib/names.ts';
import { assetsOf, createBundler, stopBundler } from '../start/bundler.ts';
import { endInspector, inspectPort, openInspector } from '../start/debugger.ts';
import { createDocsPage } from '../start/docs-page/docs-page.ts';
import { introduction } from '../start/introduction.ts';
import { reloadOnSave } from '../start/reload.ts';
import { logAsJson, logForPeople } from '../start/request-log.ts';
import { Synthesizer } from '../start/synthesizer.ts';
import { DATA_FOLDER, localDynamoDB } from '../tokens/connect.ts';
import { tokenStore } from '../tokens/token-store.ts';
import { issueToken, nowSeconds } from '../tokens/tokens.ts';

const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;
const PARENT_CHECK_MS = 250;

const project = join(import.meta.dirname, '..');
for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
const interrupted = untilInterrupted();
const stopping = new AbortController();
// Source maps are relative to the real path.
const builds = await mkdtemp(join(await realpath(tmpdir()), 'plant-store-'));
const synthesizer = new Synthesizer(project, builds);
// Stdout has the log of the requests and nothing else, so that `npm start > plant-store.log` leaves the rest on the terminal.
const log = (process.env.LOG === 'json' ? logAsJson : logForPeople)((line) => console.log(line));
try {
  const settings = settingsFrom(process.env, DATA_FOLDER);
  const emulator = await Promise.race([start(settings), interrupted]);
  if (emulator !== undefined) {
    // The emulator stops by itself, and logs why, if its DynamoDB ends.
    const failed = await Promise.race([interrupted.then(() => false), emulator.stopped.then(() => true)]);
    if (failed) process.exitCode = 1;
    else console.error('\nStopping …');
    stopping.abort();
    await withdrawEmulator(settings.dataDir);
    endInspector(removeBuilds);
    await emulator.stop();
  }
} catch (error) {
  if (!(error instanceof EmulatorError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await removeBuilds();
}
// An emulator that was still starting when it was interrupted ends with this process.
process.exit();

async function removeBuilds(): Promise<void> {
  await Promise.all([synthesizer.stop(), stopBundler()]);
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
  await assertAvailable(settings, debuggerPort);
  console.error('Synthesizing the stack …');
  const bundler = await createBundler(builds);
  const [assembly, bundles] = await Promise.all([synthesizer.synthesize(), bundler.build()]);
  if (assembly === undefined) throw new EmulatorError('Synthesizing the stack was interrupted: start again');
  console.error('Starting the emulator …');
  if (debuggerPort !== undefined) openInspector(debuggerPort);
  const issued = Promise.withResolvers<string>();
  const emulator = await startEmulator({
    ...settings,
    assembly,
    assets: assetsOf(bundles),
    log: log.line,
    observer: log,
    debugged: debuggerPort !== undefined,
    fallback: createDocsPage({ openapi: join(project, 'openapi.json'), accessToken: issued.promise }),
  });
  await announceEmulator(settings.dataDir, emulator);
  const token = await newToken(emulator);
  issued.resolve(token ?? '');
  console.error(introduction(emulator, token));
  reloadOnSave({
    project,
    emulator,
    assembly,
    bundles,
    bundler,
    synthesizer,
    print: (message) => console.error(message),
    stopping: stopping.signal,
  });
  return emulator;
}

/** @returns undefined if an OpenID Connect provider issues the tokens */
async function newToken({ dynamodbEndpoint, outputs }: Emulator): Promise<string | undefined> {
  const table = outputs[TOKENS_TABLE_OUTPUT];
  if (table === undefined) return undefined;
  const expiresAt = nowSeconds() + TOKEN_LIFETIME_SECONDS;
  const store = tokenStore(localDynamoDB(dynamodbEndpoint), table);
  return (await issueToken(store, { name: 'npm start', expiresAt })).text;
}
