import { plantsIn } from '../support/plants-in.ts';
import { type Service, startService } from '../support/service.ts';
import { createAll, randomCreations } from './creations.ts';
import { randomFault } from '../support/fault.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { contradictions } from './history.ts';

/** The service with a proxy between it and DynamoDB. */
export interface FaultyService {
  readonly service: Service;
  /** The same tables without the proxy. */
  readonly storage: Service;
  readonly proxy: FaultProxy;
  stop(): Promise<void>;
}

export async function startFaultyService(): Promise<FaultyService> {
  const storage = await startService();
  const proxy = await startFaultProxy(storage.emulator.dynamodbEndpoint);
  const service = await startService({ dynamodbEndpoint: proxy.url });
  const stop = async () => {
    await service.stop();
    await proxy.stop();
    await storage.stop();
  };
  return { service, storage, proxy, stop };
}

export interface FaultRun {
  readonly creations: number;
  readonly concurrency: number;
  readonly random: () => number;
  readonly onProgress?: (done: number) => void;
}

/** Creates plants while DynamoDB fails at random. @returns the contradictions, one line each */
export async function createUnderFaults(
  { service, storage, proxy }: FaultyService,
  { creations, concurrency, random, onProgress = () => {} }: FaultRun,
): Promise<string[]> {
  proxy.decide = () => randomFault(random);
  const outcomes = await createAll(service, randomCreations(creations, random), { concurrency, onProgress });
  proxy.decide = () => 'none';
  await proxy.settled();
  return contradictions(outcomes, await plantsIn(storage.dynamodb));
}
