import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { localDynamoDB } from '../../tokens/connect.ts';
import { tokenStore } from '../../tokens/token-store.ts';
import { issueToken } from '../../tokens/tokens.ts';
import { descendantsOf } from './processes.ts';

const SCRIPT = join(import.meta.dirname, '../emulator/fixtures/run-stage.ts');

/** A stage in a process of its own, to be killed. */
export interface StageProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly dynamodbEndpoint: string;
  /** The ids of the store's and the functions' processes. */
  descendants(): number[];
}

export async function startStageProcess(assembly: string, dataDir: string): Promise<StageProcess> {
  const child = spawn(process.execPath, [SCRIPT, assembly, dataDir], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const started = once(createInterface({ input: child.stdout }), 'line');
  const [line] = await Promise.race([started, once(child, 'close').then(() => [undefined])]);
  if (typeof line !== 'string') throw new Error(`the stage did not start: ${stderr}`);
  const { url, dynamodbEndpoint } = JSON.parse(line);
  return { child, url, dynamodbEndpoint, descendants: () => descendantsOf(child.pid ?? 0) };
}

/** A token for a day, which outlives the stage with its data. */
export async function newToken({ dynamodbEndpoint }: StageProcess): Promise<string> {
  const dynamodb = localDynamoDB(dynamodbEndpoint);
  const { TableNames = [] } = await dynamodb.send(new ListTablesCommand());
  const table = TableNames.find((name) => name.startsWith('Tokens')) ?? '';
  const expiresAt = Math.floor(Date.now() / 1000) + 86_400;
  const { text } = await issueToken(tokenStore(dynamodb, table), { name: 'test', expiresAt });
  dynamodb.destroy();
  return text;
}
