/** `npm start`: runs the whole service on this machine until Ctrl-C. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  announceEmulator,
  assertAvailable,
  type Emulator,
  EmulatorError,
  type Settings,
  settingsFrom,
  startEmulator,
} from '../emulator/index.ts';
import { TOKENS_TABLE_OUTPUT } from '../lib/names.ts';
import { assetsOf, createBundler, stopBundler } from '../start/bundler.ts';
import { endInspector, inspectPort, openInspector } from '../start/debugger.ts';
import { createDocsPage, type PageService } from '../start/docs-page/docs-page.ts';
import { createRequestHistory } from '../start/docs-page/request-history.ts';
import { untilInterrupted } from '../start/interruption.ts';
import { HELP, introduction } from '../start/introduction.ts';
import { showProgress } from '../start/progress.ts';
import { reloadOnSave } from '../start/reload.ts';
import { logFor, logToBoth } from '../start/request-log.ts';
import { Synthesizer } from '../start/synthesizer.ts';
import { createTemporaryFolder } from '../start/temporary-folder.ts';
import { DATA_FOLDER, localDynamoDB } from '../tokens/connect.ts';
import { tokenStore } from '../tokens/token-store.ts';
import { issueToken, nowSeconds } from '../tokens/tokens.ts';

/** Whose the printed token is. */
const CLIENT = 'npm start';
const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;

if (process.argv.includes('--help')) {
  console.log(HELP);
  process.exit();
}
const project = join(import.meta.dirname, '..');
let outputFailed = false;
for (const stream of [process.stdout, process.stderr]) stream.on('error', onOutputError);
const interrupted = untilInterrupted();
const stopping = new AbortController();
const history = createRequestHistory();
const builds = await createTemporaryFolder();
const synthesizer = new Synthesizer(project, builds);
let withdraw = async () => {};
try {
  const settings = settingsFrom(process.env, DATA_FOLDER);
  const emulator = await Promise.race([start(settings), interrupted]);
  if (emulator !== undefined) {
    // The emulator stops by itself, and logs why, if its DynamoDB ends.
    const failed = await Promise.race([interrupted.then(() => false), emulator.stopped.then(() => true)]);
    if (failed) process.exitCode = 1;
    else console.error('\nStopping …');
    stopping.abort();
    history.end();
    await withdraw();
    endInspector(removeBuilds);
    await emulator.stop();
  }
} catch (error) {
  if (!(error instanceof EmulatorError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await withdraw();
  await removeBuilds();
}
// An emulator that was still starting when it was interrupted ends with this process.
process.exit();

async function removeBuilds(): Promise<void> {
  await Promise.all([synthesizer.stop(), stopBundler()]);
  await rm(builds, { recursive: true, force: true });
}

/**
 * Output that cannot be written does not end the emulator. Ctrl-C in `npm start | tee plant-store.log` ends tee first
 * (EPIPE), and a terminal can be closed (EIO): nobody reads a message then.
 */
function onOutputError({ code, message }: NodeJS.ErrnoException): void {
  if (outputFailed || code === 'EPIPE' || code === 'EIO') return;
  outputFailed = true;
  console.error(`Output is lost, because it cannot be written: ${message}`);
}

async function start(settings: Settings): Promise<Emulator> {
  // Stdout has the log of the requests and nothing else, so that `npm start > plant-store.log` leaves the rest on the terminal.
  const log = logToBoth(
    logFor(process.env.LOG, (line) => console.log(line)),
    history,
  );
  const debuggerPort = inspectPort(process.argv.slice(2));
  await assertAvailable(settings, debuggerPort);
  const bundler = await createBundler(builds);
  const built = Promise.all([synthesizer.synthesize(), bundler.build()]);
  const [assembly, bundles] = await showProgress('Synthesizing the stack …', built, process.stderr);
  if (assembly === undefined) throw new EmulatorError('Synthesizing the stack was interrupted: start again');
  console.error('Starting the emulator …');
  if (debuggerPort !== undefined) openInspector(debuggerPort);
  const service = Promise.withResolvers<PageService>();
  const emulator = await startEmulator({
    ...settings,
    assembly,
    assets: assetsOf(bundles),
    log: log.line,
    observer: log,
    debugged: debuggerPort !== undefined,
    fallback: createDocsPage({ openapi: join(project, 'openapi.json'), history, service: service.promise }),
  });
  withdraw = await announceEmulator(settings.dataDir, emulator);
  const dynamodb = localDynamoDB(emulator.dynamodbEndpoint);
  const token = await newToken(dynamodb, emulator);
  service.resolve({ dynamodb, token });
  console.error(introduction(emulator, token, performance.now()));
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
async function newToken(
  dynamodb: DynamoDBDocumentClient,
  { outputs }: Emulator,
): Promise<PageService['token']> {
  const table = outputs[TOKENS_TABLE_OUTPUT];
  if (table === undefined) return undefined;
  const expiresAt = nowSeconds() + TOKEN_LIFETIME_SECONDS;
  const { text } = await issueToken(tokenStore(dynamodb, table), { name: CLIENT, expiresAt });
  return { text, client: CLIENT };
}
