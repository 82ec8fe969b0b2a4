/** `npm run bench:local`: creations per second through the emulator, beside the embedded DynamoDB's own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListTablesCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { localDynamoDB } from '../tokens/connect.ts';
import { type Load, type LoadResult, load } from './load.ts';
import { npmStart } from './npm-start.ts';
import { cpuOfParts } from './process-cpu.ts';
import { spreadOf } from './statistics.ts';
import { putItem } from './variants/put-item.ts';

const ROUNDS = 5;
const SECONDS = 3;
const WARM_UP_SECONDS = 5;
const CONNECTIONS = 16;
const GOAL = 0.6;

type Loads = Record<'puts' | 'samePuts' | 'sdkPuts' | 'creations', LoadResult>;
/** `cpuMs` is what each part of the stage took for one creation. */
type Round = Loads & { readonly cpuMs: ReadonlyMap<string, number> };

const dataDir = mkdtempSync(join(tmpdir(), 'plant-store-bench-local-'));
const stage = await npmStart(dataDir);
try {
  let id = 0;
  const creation: Omit<Load, 'seconds'> = {
    url: `${stage.url}/plants`,
    headers: { Authorization: `Bearer ${stage.token}`, 'Content-Type': 'application/json' },
    body: () => `{"id":${++id},"name":"Ficus","tag":"indoor"}`,
    isRight: (status, body) => status === 200 && body === '{"name":"Ficus","tag":"indoor"}',
    connections: CONNECTIONS,
  };
  const table = await plantsTable();
  const put: Omit<Load, 'seconds'> = {
    url: `${stage.dynamodb}/`,
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': 'DynamoDB_20120810.PutItem',
      'X-Amz-Date': '20260101T000000Z',
      // dynalite asks for a signature and believes any.
      Authorization:
        'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    },
    body: () => {
      const { TableName, Item } = nextPut();
      return JSON.stringify({ TableName, Item });
    },
    isRight: (status, body) => status === 200 && body === '{}',
    connections: CONNECTIONS,
  };
  const nextPut = () => {
    id += 1;
    return putItem(table, { id: BigInt(id), name: 'Ficus', tag: 'indoor' });
  };
  const samePut = { ...put, body: () => JSON.stringify(nextPut()) };
  const client = localDynamoDB(stage.dynamodb);
  const sdkPut = () => client.send(new PutItemCommand(nextPut()));

  console.log(`Warming up, then ${ROUNDS} rounds of ${SECONDS} s each, ${CONNECTIONS} connections`);
  await load({ ...creation, seconds: WARM_UP_SECONDS });
  const rounds: Round[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    console.log(`round ${round} of ${ROUNDS}`);
    const puts = await load({ ...put, seconds: SECONDS });
    const samePuts = await load({ ...samePut, seconds: SECONDS });
    const sdkPuts = await repeat(sdkPut);
    const before = cpuOfParts(stage.pid);
    const creations = await load({ ...creation, seconds: SECONDS });
    const cpuMs = spentPerCreation(before, cpuOfParts(stage.pid), creations.latenciesMs.length);
    rounds.push({ puts, samePuts, sdkPuts, creations, cpuMs });
  }
  report(rounds);
} finally {
  await stage.stop();
  rmSync(dataDir, { recursive: true });
}

/** Calls as fast as it returns, as many at a time as there are connections elsewhere. */
async function repeat(call: () => Promise<unknown>): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const start = performance.now();
  const caller = async () => {
    while (performance.now() < start + SECONDS * 1_000) {
      const called = performance.now();
      await call();
      latenciesMs.push(performance.now() - called);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, caller));
  const perSecond = latenciesMs.length / ((performance.now() - start) / 1_000);
  return { perSecond, latenciesMs, wrong: [] };
}

async function plantsTable(): Promise<string> {
  const { TableNames = [] } = await localDynamoDB(stage.dynamodb).send(new ListTablesCommand({}));
  const name = TableNames.find((tableName) => /^Plants/.test(tableName));
  if (name === undefined) throw new Error(`no plants table among ${TableNames}`);
  return name;
}

function spentPerCreation(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  creations: number,
) {
  return new Map([...after].map(([part, ms]) => [part, (ms - (before.get(part) ?? 0)) / creations]));
}

function report(rounds: readonly Round[]): void {
  const row = (label: string, name: keyof Loads) => {
    const results = rounds.map((round) => round[name]);
    const latencies = results.flatMap(({ latenciesMs }) => latenciesMs).sort((a, b) => a - b);
    const percentile = (share: number) => (latencies[Math.floor(share * latencies.length)] ?? 0).toFixed(1);
    const perSecond = spreadOf(results.map((result) => result.perSecond)).median.toFixed(0);
    const wrong = results.flatMap((result) => result.wrong);
    if (wrong.length > 0) console.log(`wrong: ${wrong.slice(0, 3)}`);
    return `| ${label} | ${perSecond} | ${percentile(0.5)} | ${percentile(0.99)} | ${wrong.length} |`;
  };
  const ratio = (label: string, name: keyof Loads) => {
    const spread = spreadOf(rounds.map((round) => round.creations.perSecond / round[name].perSecond));
    const { median, low, high } = spread;
    const verdict = median >= GOAL ? 'met' : 'not met';
    return `creations / ${label}: ${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)}), goal ≥ ${GOAL}: ${verdict}`;
  };
  console.log(`
| | per second | p50 ms | p99 ms | wrong answers |
|---|---:|---:|---:|---:|
${row('puts without a condition, embedded DynamoDB alone', 'puts')}
${row('the put of a creation, embedded DynamoDB alone', 'samePuts')}
${row("the same put, by the SDK's client in one process", 'sdkPuts')}
${row('creations, emulator', 'creations')}

${ratio('puts without a condition', 'puts')}
${ratio('the same puts', 'samePuts')}
${ratio("the SDK's puts", 'sdkPuts')}
CPU per creation: ${cpuPerCreation(rounds)}`);
}

function cpuPerCreation(rounds: readonly Round[]): string {
  const parts = [...(rounds[0]?.cpuMs.keys() ?? [])];
  const median = (part: string) => spreadOf(rounds.map(({ cpuMs }) => cpuMs.get(part) ?? 0)).median;
  return parts.map((part) => `${part} ${median(part).toFixed(2)} ms`).join(', ') || 'unknown, without /proc';
}
