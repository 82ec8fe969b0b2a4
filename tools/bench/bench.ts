/**
 * `npm run bench [-- COMMIT]`: compares the cold starts of our functions with those of a usual build, and with those at
 * another commit. Each cold start runs in a new process, against a DynamoDB stub that speaks HTTPS. Times are CPU time,
 * because other load on the machine increases wall-clock time.
 */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { mintAccessToken } from '../../lambda/shared/tokens/access-token.ts';
import { buildFunction } from '../../lib/functions/bundle/build.ts';
import { MEMORY_MB } from '../../lib/functions/node-function.ts';
import { localhostCertificate } from '../../test/support/servers/issuer.ts';
import { listenOnLoopback } from '../../test/support/servers/loopback.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 15);
/** With this memory, a function gets one CPU; with less, a share of it, except during its init. */
const ONE_CPU_MB = 1_769;
const PROJECT = join(import.meta.dirname, '../..');
const [commit] = process.argv.slice(2);
if (
  commit !== undefined &&
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`]).status !== 0
) {
  console.error(`Expected a commit to compare with, or no argument, got ${commit}`);
  process.exit(1);
}

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
const NEVER: Cold = { init: Number.NaN, first: Number.NaN };

const folder = mkdtempSync(join(tmpdir(), 'plant-store-bench-'));
const certificate = join(folder, 'certificate.pem');
writeFileSync(certificate, localhostCertificate.cert);
const server = createServer(localhostCertificate, (request, response) => {
  const isRead = String(request.headers['x-amz-target']).endsWith('GetItem');
  response.setHeader('Content-Type', 'application/x-amz-json-1.0');
  request.resume().on('end', () => response.end(JSON.stringify(isRead ? { Item: TOKEN } : {})));
});
const dynamodb = await listenOnLoopback(server);
try {
  console.log(
    `Node ${process.version}, ${cpus()[0]?.model}, medians of ${ROUNDS} rounds, CPU time in ms`,
  );
  const build = commit === undefined ? undefined : await buildAt(commit);
  for (const name of ['create-plant', 'authorize'] as const)
    console.table(await compare(name, build));
} finally {
  await dynamodb.stop();
  rmSync(folder, { recursive: true });
}

/** Returns the function that builds a bundle at a commit, with the packages that are installed now. */
async function buildAt(commit: string): Promise<typeof buildFunction> {
  const [archive, checkout] = [join(folder, 'commit.tar'), join(folder, 'commit')];
  execFileSync('git', ['archive', '--output', archive, commit], { cwd: PROJECT });
  mkdirSync(checkout);
  execFileSync('tar', ['-xf', archive, '-C', checkout]);
  symlinkSync(join(PROJECT, 'node_modules'), join(checkout, 'node_modules'));
  return (await import(join(checkout, 'lib/functions/bundle/build.ts'))).buildFunction;
}

async function compare(name: Name, buildOther?: typeof buildFunction) {
  const usual = join(folder, `usual-${name}.cjs`);
  const source = join(import.meta.dirname, `usual-${name}.ts`);
  buildSync({
    entryPoints: [source],
    outfile: usual,
    bundle: true,
    minify: true,
    platform: 'node',
  });
  const entries: Record<string, string> = { [name]: join(folder, name, 'index.mjs'), usual };
  buildFunction(name, join(folder, name));
  if (buildOther !== undefined) {
    const other = join(folder, `other-${name}`);
    buildOther(name, other);
    entries[`at ${commit}`] = join(other, 'index.mjs');
  }
  const rounds: Record<string, Cold>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const colds: Record<string, Cold> = {};
    for (const [label, entry] of Object.entries(entries)) colds[label] = await cold(entry, name);
    rounds.push(colds);
  }
  const rowOf = (label: string) => {
    const of = (figure: (cold: Cold, usual: Cold) => number) =>
      median(rounds.map(({ [label]: cold = NEVER, usual = NEVER }) => figure(cold, usual)));
    return {
      init: of(({ init }) => init),
      'first request': of(({ first }) => first),
      [`on Lambda, ${MEMORY_MB} MB`]: of(
        ({ init, first }) => init + (first * ONE_CPU_MB) / MEMORY_MB,
      ),
      'sum / usual': of((cold, usual) => sum(cold) / sum(usual)),
    };
  };
  return Object.fromEntries(Object.keys(entries).map((label) => [label, rowOf(label)]));
}

async function cold(entry: string, name: Name): Promise<Cold> {
  const env = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_ENDPOINT_URL_DYNAMODB: `https://localhost:${dynamodb.port}`,
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
