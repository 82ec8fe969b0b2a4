import { type Service, startService } from '../support/service.ts';
import { type BreakableProxy, startBreakableProxy } from './breakable-proxy.ts';

/** The service with a line to its store that can be cut and fixed. */
export interface BreakableService extends Service {
  readonly line: BreakableProxy;
  /** Where the line ends: a service of its own, which keeps the tables. */
  readonly storage: Service;
}

export async function startBreakableService(assembly?: string): Promise<BreakableService> {
  const storage = await startService();
  const line = await startBreakableProxy(storage.emulator.dynamodbEndpoint);
  const service = await startService({ assembly, dynamodbEndpoint: line.url });
  return {
    ...service,
    line,
    storage,
    stop: async () => {
      await service.stop();
      await line.stop();
      await storage.stop();
    },
  };
}
