/**
 * `npm run bench`: compares the cold starts of our functions with those of a usual build. Each cold start runs in a new
 * process, against a DynamoDB stub that speaks HTTPS. Times are CPU time, because other load on the machine increases
 * wall-clock time.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { mintAccessToken } from '../../lambda/shared/tokens/access-token.ts';
import { buildFunction } from '../../lib/functions/bundle/build.ts';
import { localhostCertificate } from '../../test/support/certificate.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 15);

const { text, id, hash } = mintAccessToken();
const EVENTS = {
  'create-plant': {
    httpMethod: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"id":9007199254740993,"name":"Ficus","tag":"indoor"}',
    isBase64Encoded: false,
    requestContext: { requestId: 'bench', authorizer: { principalId: 'bench', client: 'bench' } },
  },
  authorize: { type: 'TOKEN', methodArn: 'arn', authorizationToken: `Bearer ${text}` },
} as const;
const TOKEN = { id: { S: id }, name: { S: 'bench' }, hash: { S: hash }, issuedAt: { N: '1' } };

type Name = keyof typeof EVENTS;
interface Cold {
  readonly init: number;
  readonly first: number;
}

const folder = mkdtempSync(join(tmpdir(), 'plant-store-bench-'));
const dynamodb = createServer(localhostCertificate, (request, response) => {
  const isRead = String(request.headers['x-amz-target']).endsWith('GetItem');
  response.setHeader('Content-Type', 'application/x-amz-json-1.0');
  request.resume().on('end', () => response.end(JSON.stringify(isRead ? { Item: TOKEN } : {})));
});
try {
  await once(dynamodb.listen(0, '127.0.0.1'), 'listening');
  console.log(`Node ${process.version}, ${cpus()[0]?.model}, medians of ${ROUNDS} rounds, CPU time in ms`);
  for (const name of ['create-plant', 'authorize'] as const) console.table(await compare(name));
} finally {
  dynamodb.close();
  rmSync(folder, { recursive: true });
}

async function compare(name: Name) {
  const [ours, usual] = [join(folder, name), join(folder, `usual-${name}.cjs`)];
  buildFunction(name, ours);
  const source = join(import.meta.dirname, `usual-${name}.ts`);
  buildSync({ entryPoints: [source], outfile: usual, bundle: true, minify: true, platform: 'node' });
  const rounds: { ours: Cold; usual: Cold }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ ours: await cold(join(ours, 'index.mjs'), name), usual: await cold(usual, name) });
  }
  const rowOf = (bytes: number, coldOf: (round: (typeof rounds)[number]) => Cold) => ({
    bytes,
    init: median(rounds.map((round) => coldOf(round).init)),
    'first request': median(rounds.map((round) => coldOf(round).first)),
    sum: median(rounds.map((round) => sum(coldOf(round)))),
    'sum / usual': median(rounds.map((round) => sum(coldOf(round)) / sum(round.usual))),
  });
  return {
    [name]: rowOf(statSync(join(ours, 'function.cjs')).size, (round) => round.ours),
    usual: rowOf(statSync(usual).size, (round) => round.usual),
  };
}

async function cold(entry: string, name: Name): Promise<Cold> {
  const address = dynamodb.address();
  if (address === null || typeof address === 'string') throw new Error('the DynamoDB stub is not listening');
  const certificate = join(folder, 'certificate.pem');
  writeFileSync(certificate, localhostCertificate.cert);
  const env = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_ENDPOINT_URL_DYNAMODB: `https://localhost:${address.port}`,
    NODE_EXTRA_CA_CERTS: certificate,
    PLANTS_TABLE: 'plants',
    TOKENS_TABLE: 'tokens',
    STAGE: 'bench',
  };
  const args = [join(import.meta.dirname, 'probe.mjs'), entry, JSON.stringify(EVENTS[name])];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

function sum({ init, first }: Cold): number {
  return init + first;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Number((sorted[Math.floor(sorted.length / 2)] ?? Number.NaN).toFixed(2));
}
