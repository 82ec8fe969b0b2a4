/** `npm run bench`: compares the functions' CPU time with that of other implementations of the same behavior. */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareBehavior } from './behavior.ts';
import { startDynamoDB } from './dynamodb.ts';
import { replies, timedEvents } from './inputs.ts';
import { type Cold, Probe, pinning } from './measure.ts';
import { type Round, report } from './report.ts';
import {
  baselineOf,
  buildVariants,
  KINDS,
  type Kind,
  synthesizedAssembly,
  type Variant,
} from './variants.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 15);
/** The folder that `cdk synth` wrote at a different commit, whose functions are measured too. */
const { BASELINE } = process.env;
/** In each round, the fastest of this many processes counts, because other load can only slow a process down. */
const PROCESSES = 3;
/** Measuring warm requests takes seconds, so only every third round does it, and only for the variants in `WARM`. */
const WARM_EVERY = 3;
const WARM = ['ours', 'usual', 'hand-written'];

const folder = mkdtempSync(join(tmpdir(), 'plant-store-bench-'));
const dynamodb = await startDynamoDB(folder);
try {
  console.log(`Node ${process.version}, ${cpus()[0]?.model}, ${ROUNDS} rounds, ${pinning}`);
  const assembly = await synthesizedAssembly(folder);
  const probe = new Probe(folder, dynamodb);
  for (const kind of KINDS) {
    const comparable = buildVariants(kind, assembly, folder);
    const requests = compareBehavior(kind, comparable, probe);
    console.log(`\n${kind}: all variants return and log the same for ${requests} requests`);
    // The baseline's behavior is not compared, because functions of a different commit may respond and log differently.
    const variants = BASELINE === undefined ? comparable : [...comparable, baselineOf(kind, BASELINE)];
    const rounds = Array.from({ length: ROUNDS }, (_, index) => {
      console.log(`${kind}: round ${index + 1} of ${ROUNDS}`);
      return measureRound(kind, variants, probe, index);
    });
    console.log(report(kind, variants, rounds));
  }
} finally {
  dynamodb.stop();
  rmSync(folder, { recursive: true });
}

/** Measures every variant. Each round begins with a different variant, so that no variant is always first. */
function measureRound(kind: Kind, variants: readonly Variant[], probe: Probe, index: number): Round {
  const turn = index % variants.length;
  const order = [...variants.slice(turn), ...variants.slice(0, turn)];
  const event = timedEvents[kind];
  const colds = Array.from({ length: PROCESSES }, () => order.map(({ entry }) => probe.cold(entry, event)));
  const isWarm = (name: string) => index % WARM_EVERY === 0 && WARM.includes(name);
  return Object.fromEntries(
    order.map(({ name, entry }, position) => {
      const cold = fastest(colds.map((pass) => pass[position]).filter((measured) => measured !== undefined));
      return [name, isWarm(name) ? { cold, warmUs: probe.warm(entry, event, replies) } : { cold }];
    }),
  );
}

function fastest([first, ...others]: Cold[]): Cold {
  if (first === undefined) throw new Error('nothing was measured');
  return others.reduce((best, cold) => (cold.processMs < best.processMs ? cold : best), first);
}
