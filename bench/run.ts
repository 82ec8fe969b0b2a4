/** `npm run bench`: what a cold start and a warm call cost, beside the same behaviour built otherwise. */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkBehaviour } from './behaviour.ts';
import { replies, timedEvents } from './inputs.ts';
import { Probe } from './measure.ts';
import { pinning } from './pinned.ts';
import { type Round, report } from './report.ts';
import { startStore } from './store.ts';
import { buildVariants, type Kind, synthesizedAssembly, type Variant } from './variants.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 15);
/** What is measured warm too. */
const WARM = ['ours', 'usual', 'hand-written', 'floor'];
const KINDS: readonly Kind[] = ['create-plant', 'authorize'];

const folder = mkdtempSync(join(tmpdir(), 'plant-store-bench-'));
const store = await startStore(folder);
try {
  console.log(`Node ${process.version}, ${cpus()[0]?.model}, ${ROUNDS} rounds, ${pinning}`);
  const assembly = await synthesizedAssembly(folder);
  const probe = new Probe(folder, store);
  for (const kind of KINDS) {
    const variants = buildVariants(kind, assembly, folder);
    const requests = checkBehaviour(kind, variants, probe);
    console.log(`\n${kind}: all variants answer ${requests} requests alike`);
    const rounds = Array.from({ length: ROUNDS }, (_, index) => {
      console.log(`${kind}: round ${index + 1} of ${ROUNDS}`);
      return measureRound(kind, variants, probe, index);
    });
    console.log(report(kind, variants, rounds));
  }
} finally {
  store.stop();
  rmSync(folder, { recursive: true });
}

/** Each variant once; each round begins with another, so that none always follows the same one. */
function measureRound(kind: Kind, variants: readonly Variant[], probe: Probe, index: number): Round {
  const turn = index % variants.length;
  const order = [...variants.slice(turn), ...variants.slice(0, turn)];
  const event = timedEvents[kind];
  const cold = order.map(({ entry }) => probe.cold(entry, event));
  return Object.fromEntries(
    order.map(({ name, entry }, position) => {
      const measured = { cold: cold[position] ?? probe.cold(entry, event) };
      const warm = WARM.includes(name) ? { warm: probe.warm(entry, event, replies) } : {};
      return [name, { ...measured, ...warm }];
    }),
  );
}
