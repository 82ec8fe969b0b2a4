/** `npm start`: runs the whole service on this machine until Ctrl-C. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import {
  announceEmulator,
  type Emulator,
  EmulatorError,
  type Settings,
  settingsFrom,
  startEmulator,
  synthesize,
  withdrawEmulator,
} from '../emulator/index.ts';
import { TOKENS_TABLE_OUTPUT } from '../lib/names.ts';
import { commandLine } from '../tokens/arguments.ts';
import { localDynamoDB } from '../tokens/connect.ts';
import { tokenStore } from '../tokens/token-store.ts';
import { issueToken, nowSeconds } from '../tokens/tokens.ts';

const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;
const PARENT_CHECK_MS = 250;
const OPEN_DYNAMODB =
  'warning: it has no credentials, and everyone on your network can use it; for SAM, set HOST to 172.17.0.1';

const project = join(import.meta.dirname, '..');
const interrupted = untilInterrupted();
const assembly = await mkdtemp(join(tmpdir(), 'plant-store-'));
try {
  const settings = settingsFrom(process.env);
  const emulator = await Promise.race([start(settings), interrupted]);
  if (emulator !== undefined) {
    // The emulator stops by itself, and logs why, if its DynamoDB ends.
    const failed = await Promise.race([interrupted.then(() => false), emulator.stopped.then(() => true)]);
    if (failed) process.exitCode = 1;
    else console.log('\nStopping …');
    await withdrawEmulator(settings.dataDir);
    await emulator.stop();
  }
} catch (error) {
  if (!(error instanceof EmulatorError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await rm(assembly, { recursive: true, force: true });
}
// An emulator that was still starting when it was interrupted ends with this process.
process.exit();

/** Resolves on Ctrl-C, on SIGTERM, and when the npm that started this process has ended: npm forwards no SIGTERM. */
function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
    if (process.env.npm_lifecycle_event === undefined) return;
    const npm = process.ppid;
    setInterval(() => process.ppid !== npm && resolve(), PARENT_CHECK_MS).unref();
  });
}

async function start(settings: Settings): Promise<Emulator> {
  console.log('Synthesizing the stack …');
  await synthesize({ project, output: assembly });
  console.log('Starting the emulator …');
  const issued = Promise.withResolvers<string>();
  const emulator = await startEmulator({
    ...settings,
    assembly,
    log: (line) => console.log(line),
    docsPage: { openapi: join(project, 'openapi.json'), accessToken: issued.promise },
  });
  await announceEmulator(settings.dataDir, emulator);
  const token = await newToken(emulator);
  issued.resolve(token ?? '');
  console.log(introduction(emulator, token));
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

function introduction({ url, dynamodbEndpoint }: Emulator, token: string | undefined): string {
  return `
${heading('Plant Store is ready')} (Ctrl-C stops it).

  Base URL   ${url}
  Try it at  ${url}/docs
  DynamoDB   ${dynamodbEndpoint}${isOnEveryAddress(dynamodbEndpoint) ? `\n             (${OPEN_DYNAMODB})` : ''}
  Token      ${token ?? 'from your OpenID Connect provider'}
             ${token === undefined ? '' : `(valid for a day; another: ${commandLine('issue NAME', { local: true }, process.env)})`}

${heading('Create a plant:')}

  curl -i ${url}/plants -H 'Authorization: Bearer ${token ?? 'TOKEN'}' -H 'Content-Type: application/json' -d '{"id":1,"name":"Ficus","tag":"indoor"}'
`;
}

function isOnEveryAddress(endpoint: string): boolean {
  return ['0.0.0.0', '[::]'].includes(new URL(endpoint).hostname);
}

/** Bold and green on a terminal, plain in a file or pipe. */
function heading(text: string): string {
  return styleText(['bold', 'green'], text, { stream: process.stdout });
}
