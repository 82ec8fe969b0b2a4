/** `npm start`: runs the whole service on this machine until Ctrl-C. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { type Stage, startEmulator } from '../emulator/emulator.ts';
import { EmulatorError } from '../emulator/emulator-error.ts';
import { untilInterrupted } from '../emulator/interruption.ts';
import { announceEmulator, withdrawEmulator } from '../emulator/running-emulator.ts';
import { type Settings, settingsFrom } from '../emulator/settings.ts';
import { synthesize } from '../emulator/synthesize.ts';
import { TOKENS_TABLE_OUTPUT } from '../lib/names.ts';
import { commandLine } from '../tokens/arguments.ts';
import { localDynamoDB } from '../tokens/connect.ts';
import { tokenStore } from '../tokens/token-store.ts';
import { issueToken, nowSeconds } from '../tokens/tokens.ts';

const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;

const project = join(import.meta.dirname, '..');
const interrupted = untilInterrupted();
const assembly = await mkdtemp(join(tmpdir(), 'plant-store-'));
try {
  const settings = settingsFrom(process.env);
  const stage = await Promise.race([start(settings), interrupted]);
  if (stage !== undefined) {
    await interrupted;
    console.log('\nStopping …');
    await withdrawEmulator(settings.dataDir);
    await stage.stop();
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

async function start(settings: Settings): Promise<Stage> {
  console.log('Synthesizing the stack …');
  await synthesize({ project, output: assembly });
  console.log('Starting the emulator …');
  const issued = Promise.withResolvers<string>();
  const stage = await startEmulator({
    ...settings,
    assembly,
    log: (line) => console.log(line),
    docsPage: { openapi: join(project, 'openapi.json'), accessToken: issued.promise },
  });
  await announceEmulator(settings.dataDir, stage);
  const token = await newToken(stage);
  issued.resolve(token ?? '');
  console.log(introduction(stage, token));
  return stage;
}

/** Returns undefined if the tokens come from an OpenID Connect provider. */
async function newToken({ dynamodbEndpoint, outputs }: Stage): Promise<string | undefined> {
  const table = outputs[TOKENS_TABLE_OUTPUT];
  if (table === undefined) return undefined;
  const expiresAt = nowSeconds() + TOKEN_LIFETIME_SECONDS;
  const store = tokenStore(localDynamoDB(dynamodbEndpoint), table);
  return (await issueToken(store, { name: 'npm start', expiresAt })).text;
}

function introduction({ url, dynamodbEndpoint }: Stage, token: string | undefined): string {
  return `
${heading('Plant Store is ready')} (Ctrl-C stops it).

  Base URL   ${url}
  Try it at  ${url}/docs
  DynamoDB   ${dynamodbEndpoint}
  Token      ${token ?? 'from your OpenID Connect provider'}
             ${token === undefined ? '' : `(valid for a day; another: ${commandLine('issue NAME', { local: true }, process.env)})`}

${heading('Create a plant:')}

  curl -i ${url}/plants -H 'Authorization: Bearer ${token ?? 'TOKEN'}' -H 'Content-Type: application/json' -d '{"id":1,"name":"Ficus","tag":"indoor"}'
`;
}

/** Bold and green on a terminal, plain in a file or pipe. */
function heading(text: string): string {
  return styleText(['bold', 'green'], text, { stream: process.stdout });
}
