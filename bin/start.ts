/** `npm start`: runs the whole service on this machine until Ctrl-C. */
import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { close as closeInspector } from 'node:inspector';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import {
  announceEmulator,
  type Emulator,
  type RunningVersion,
  settingsFrom,
  startEmulator,
  synthesize,
} from '@plant-store/emulator';
import { BUNDLES_FOLDER, OUTPUTS } from '../lib/names.ts';
import { docsPage } from '../tools/docs-page/docs-page.ts';
import { DATA_FOLDER, localDynamoDB } from '../tools/operator/connect.ts';
import { reportFailure } from '../tools/operator/run-command.ts';
import { buildAll } from '../tools/start/build.ts';
import { openInspector } from '../tools/start/debugger.ts';
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
// Keeps the emulator running if its output cannot be written. Ctrl-C in `npm start | tee plant-store.log` ends tee
// first, and a terminal can be closed; in both cases, nobody could read an error message.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
const interrupted = new Promise<void>((resolve) => {
  // A closed terminal sends SIGHUP twice, and npm passes on a Ctrl-C that this process gets too.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve());
});
// Uses the real path, because the paths in source maps are relative to it.
const builds = realpathSync(mkdtempSync(join(tmpdir(), 'plant-store-')));
let emulator: Emulator | undefined;
let reloader: Reloader | undefined;
let withdraw = async () => {};
try {
  // If DynamoDB exits, the emulator stops by itself and logs why.
  process.exitCode = await Promise.race([interrupted.then(() => 0), run().then(() => 1)]);
  console.error('\nStopping …');
} catch (error) {
  reportFailure(error);
} finally {
  await withdraw();
  await Promise.all([reloader?.stop(), emulator?.stop()]);
  // Otherwise, Node would wait for the debugger to disconnect.
  closeInspector();
  await rm(builds, { recursive: true, force: true });
}
// Exiting also ends anything that was still starting.
process.exit();

/** Resolves when the emulator has stopped. */
async function run(): Promise<void> {
  const settings = settingsFrom(process.env, DATA_FOLDER);
  // Only the request log goes to stdout, so `npm start > plant-store.log` leaves all other output on the terminal.
  const log = logFor(process.env.LOG, (line) => console.log(line));
  const shown = Promise.withResolvers<string>();
  openInspector(process.argv.slice(2));
  emulator = await startEmulator({
    ...settings,
    log: log.line,
    observer: log,
    fallback: docsPage(shown.promise),
  });
  const project = join(import.meta.dirname, '..');
  reloader = new Reloader({
    project,
    emulator,
    build: () => buildAll(builds),
    synthesize: async (signal) => {
      const output = mkdtempSync(join(builds, 'assembly-'));
      // Without asset staging, the template refers to the functions' folders in `builds`.
      const context = { [BUNDLES_FOLDER]: builds, 'aws:cdk:disable-asset-staging': true };
      await synthesize({ project, output, context, signal });
      return output;
    },
    print: (message) => console.error(message),
  });
  const version = { ...emulator, ...(await reloader.first) };
  withdraw = await announceEmulator(settings.dataDir, version);
  const token = await newToken(version);
  shown.resolve(token ?? '');
  for (const failure of version.failures) {
    console.error(styleText('red', failure, { stream: process.stderr }));
  }
  console.error(introduction(version, token, performance.now()));
  await emulator.stopped;
}

/** @returns a new access token, or undefined if an OpenID Connect provider issues the tokens */
async function newToken({ dynamodbEndpoint, outputs }: Emulator & RunningVersion) {
  const table = outputs[OUTPUTS.tokensTable];
  if (table === undefined) return undefined;
  const store = tokenStore(localDynamoDB(dynamodbEndpoint), table);
  const issued = await issueToken(store, { name: CLIENT, lifetimeSeconds: TOKEN_LIFETIME_SECONDS });
  return issued.text;
}
