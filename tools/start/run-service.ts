import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { close as closeInspector } from 'node:inspector';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { announceEmulator, settingsFrom, startEmulator, synthesize } from 'stack-emulator';
import { BUILDS_KEY } from '../../lib/functions/bundle/build.ts';
import { TOKENS_TABLE_OUTPUT } from '../../lib/outputs.ts';
import { DEFAULT_DATA_DIR, localDynamoDB } from '../command-line/connect.ts';
import { messageOf, UserError } from '../command-line/failures.ts';
import { reportFailure } from '../command-line/run-command.ts';
import { docsPage } from '../docs-page/docs-page.ts';
import { issueToken } from '../tokens/token-lifecycle.ts';
import { tableIn } from '../tokens/tokens-table.ts';
import { buildAll } from './build-all.ts';
import { checkTypes } from './check-types.ts';
import { openInspector } from './inspector.ts';
import { CLIENT, introduction } from './introduction.ts';
import { Reloader } from './reload.ts';
import { terminalLog } from './terminal-log.ts';

export const HELP = `Runs Plant Store on this machine until you press Ctrl-C.

  npm start
  npm start -- --inspect[=PORT]   lets a debugger attach, on port 9229 by default

Environment variables:
  PORT               the port of the API (default 3000; 0 picks a free port)
  DYNAMODB_PORT      the port of the embedded DynamoDB (default 8000; 0 picks a free port)
  DYNAMODB_ENDPOINT  the URL of a DynamoDB to use instead of the embedded one
  DATA_DIR           the data folder of the embedded DynamoDB (default .plant-store)
  HOST               the address to listen on (default 127.0.0.1; change it only for SAM on Linux)`;

const PROJECT = join(import.meta.dirname, '../..');
const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;
/** Longer than it takes to end requests in progress, and functions in an endless loop. */
const STOP_MS = 4_000;

/**
 * Runs the whole service until Ctrl-C, and prints how to use it. Sets the exit code to 1 if the emulator stops by itself.
 * Then stops what has started, and removes its files; what is still starting ends with the process. If this takes too
 * long, kills the process, which loses no acknowledged write.
 */
export async function runService(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  // Keeps the emulator running if its output cannot be written. Ctrl-C in `npm start | tee plant-store.log` ends tee
  // first, and a terminal can be closed; in both cases, nobody could read an error message.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const interrupted = new Promise<number>((resolve) => {
    // A closed terminal sends SIGHUP twice, and npm passes on a Ctrl-C that this process gets too.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve(0));
  });
  const builds = createFolder();
  const removeBuilds = () => rmSync(builds, { recursive: true, force: true });
  const cleanup = new AsyncDisposableStack();
  cleanup.defer(removeBuilds);
  try {
    const stopped = run(args, env, builds, cleanup).then(() => 1);
    process.exitCode = await Promise.race([interrupted, stopped]);
    console.error('\nStopping …');
  } catch (error) {
    reportFailure(error);
  } finally {
    // Nothing ends a thread in native code, and one whose heap is full ends late. process.exit() would wait for both.
    setTimeout(() => {
      console.error('A function has not ended: killing npm start.');
      removeBuilds();
      process.kill(process.pid, 'SIGKILL');
    }, STOP_MS);
    await cleanup.disposeAsync();
  }
}

function createFolder(): string {
  try {
    // Uses the real path, because the paths in source maps are relative to it.
    return realpathSync(mkdtempSync(join(tmpdir(), 'plant-store-')));
  } catch (error) {
    throw new UserError(
      `The temporary folder ${tmpdir()} cannot be used (${messageOf(error)}): set TMPDIR to another folder`,
    );
  }
}

async function run(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  builds: string,
  cleanup: AsyncDisposableStack,
): Promise<void> {
  const settings = settingsFrom(env, DEFAULT_DATA_DIR);
  // Only the request log goes to stdout, so `npm start > plant-store.log` leaves all other output on the terminal.
  const log = terminalLog((line) => console.log(line));
  const pageToken = Promise.withResolvers<string>();
  openInspector(args);
  // Otherwise, Node would wait for the debugger to disconnect.
  cleanup.defer(closeInspector);
  const emulator = await startEmulator({
    ...settings,
    log: log.line,
    observer: log,
    fallback: docsPage(pageToken.promise),
  });
  const reloader = new Reloader({
    project: PROJECT,
    emulator,
    build: () => buildAll(builds),
    synthesize: async (signal) => {
      const output = mkdtempSync(join(builds, 'assembly-'));
      // Without asset staging, the template refers to the functions' folders in `builds`.
      const context = { [BUILDS_KEY]: builds, 'aws:cdk:disable-asset-staging': true };
      await synthesize({ project: PROJECT, output, context, signal });
      return output;
    },
    checkTypes: (signal) => checkTypes(join(builds, 'tsconfig.json'), signal, printInRed),
    print: (message) => console.error(message),
  });
  cleanup.defer(async () => {
    await Promise.all([reloader.stop(), emulator.stop()]);
  });
  const { outputs, failures, leftOut } = await reloader.first;
  cleanup.defer(await announceEmulator(settings.dataDir, { ...emulator, outputs }));
  const token = await newToken(emulator.dynamodbEndpoint, outputs[TOKENS_TABLE_OUTPUT]);
  pageToken.resolve(token ?? '');
  for (const failure of failures) printInRed(failure);
  console.error(introduction({ ...emulator, leftOut }, token, performance.now()));
  await emulator.stopped;
}

function printInRed(text: string): void {
  console.error(styleText('red', text, { stream: process.stderr }));
}

/** @returns a new access token, or undefined if an OpenID Connect provider issues the tokens */
async function newToken(endpoint: string, table: string | undefined): Promise<string | undefined> {
  if (table === undefined) return undefined;
  const { token } = await issueToken(tableIn(localDynamoDB(endpoint), table), {
    client: CLIENT,
    lifetimeSeconds: TOKEN_LIFETIME_SECONDS,
  });
  return token;
}
