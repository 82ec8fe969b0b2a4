/**
 * `npm run bench`: compares createPlant's cold start with that of a usual and of a hand-written createPlant. Each cold
 * start runs in a new process, against a DynamoDB stub that speaks HTTPS. Times are CPU time, because other load on the
 * machine increases wall-clock time.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, buildSync } from 'esbuild';
import { buildFunction, bundleOptions } from '../../lib/functions/bundle/build.ts';
import { MEMORY_MB } from '../../lib/functions/node-function.ts';
import { localhostCertificate } from '../../test/support/servers/localhost-certificate.ts';

assert(process.argv.length === 2, 'npm run bench has no options; set ROUNDS');
const ROUNDS = Number(process.env.ROUNDS ?? 15);
/** With this memory, a function gets one CPU; with less, a share of it, except during its init. */
const ONE_CPU_MB = 1_769;

const EVENT = {
  httpMethod: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: '{"id":9007199254740993,"name":"Ficus","tag":"indoor"}',
  isBase64Encoded: false,
  requestContext: { requestId: 'bench', authorizer: { principalId: 'bench', client: 'bench' } },
};

interface Time {
  readonly init: number;
  readonly first: number;
}
const NEVER: Time = { init: Number.NaN, first: Number.NaN };

const folder = mkdtempSync(join(tmpdir(), 'plant-store-bench-'));
const certificate = join(folder, 'certificate.pem');
writeFileSync(certificate, localhostCertificate.cert);
const dynamodb = createServer(localhostCertificate, (request, response) => {
  response.setHeader('Content-Type', 'application/x-amz-json-1.0');
  request.resume().on('end', () => response.end('{}'));
});
await once(dynamodb.listen(0, 'localhost'), 'listening');
const address = dynamodb.address();
assert(address !== null && typeof address === 'object');
const { port } = address;
try {
  console.log(
    `Node ${process.version}, ${cpus()[0]?.model}, medians of ${ROUNDS} rounds, CPU time in ms`,
  );
  console.table(await compare());
} finally {
  dynamodb.close();
  rmSync(folder, { recursive: true });
}

async function compare() {
  const entries: Record<string, string> = { 'create-plant': join(folder, 'index.mjs') };
  buildFunction('create-plant', folder);
  const build = (label: string, options: BuildOptions) => {
    const outfile = join(folder, `${label}.cjs`);
    const source = join(import.meta.dirname, `${label}-create-plant.ts`);
    buildSync({ ...options, entryPoints: [source], outfile, minify: true });
    entries[label] = outfile;
  };
  build('usual', { bundle: true, platform: 'node' });
  build('hand-written', bundleOptions);
  const rounds: Record<string, Time>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const times: Record<string, Time> = {};
    for (const [label, entry] of Object.entries(entries)) times[label] = await time(entry);
    rounds.push(times);
  }
  const rowOf = (label: string) => {
    const medianOf = (figure: (own: Time, usual: Time) => number) =>
      median(rounds.map((round) => figure(round[label] ?? NEVER, round.usual ?? NEVER)));
    return {
      init: medianOf(({ init }) => init),
      'first request': medianOf(({ first }) => first),
      [`on Lambda, ${MEMORY_MB} MB`]: medianOf(onLambda),
      'of usual': medianOf((own, usual) => onLambda(own) / onLambda(usual)),
    };
  };
  return Object.fromEntries(Object.keys(entries).map((label) => [label, rowOf(label)]));
}

async function time(entry: string): Promise<Time> {
  const env = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_ENDPOINT_URL_DYNAMODB: `https://localhost:${port}`,
    NODE_EXTRA_CA_CERTS: certificate,
    PLANTS_TABLE: 'plants',
    STAGE: 'bench',
  };
  const args = [join(import.meta.dirname, 'measure-cold-start.mjs'), entry, JSON.stringify(EVENT)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

/** The time until the first response, as Lambda schedules the CPU. */
function onLambda({ init, first }: Time): number {
  return init + (first * ONE_CPU_MB) / MEMORY_MB;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Number((sorted[Math.floor(sorted.length / 2)] ?? Number.NaN).toFixed(2));
}
