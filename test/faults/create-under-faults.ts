import { randomFault } from '../support/fault.ts';
import type { FaultyService } from '../support/faulty-service.ts';
import { plantsIn } from '../support/plants-in.ts';
import { createAll, randomCreations } from './creations.ts';
import { contradictions } from './history.ts';

export interface FaultRun {
  readonly creations: number;
  readonly concurrency: number;
  readonly random: () => number;
  readonly onProgress?: (done: number) => void;
}

/** Creates plants while DynamoDB fails at random. @returns the contradictions, one line each */
export async function createUnderFaults(
  service: FaultyService,
  { creations, concurrency, random, onProgress = () => {} }: FaultRun,
): Promise<string[]> {
  const { proxy, upstream } = service;
  proxy.decide = () => randomFault(random);
  const outcomes = await createAll(service, randomCreations(creations, random), { concurrency, onProgress });
  proxy.decide = () => 'none';
  await proxy.settled();
  return contradictions(outcomes, await plantsIn(upstream.dynamodb));
}
