import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { type Service, startService } from './service.ts';

/** The service with a proxy between it and DynamoDB. */
export interface FaultyService extends Service {
  readonly proxy: FaultProxy;
  /** A second service, which runs the DynamoDB behind the proxy and uses it directly. */
  readonly upstream: Service;
}

export async function startFaultyService(assembly?: string): Promise<FaultyService> {
  const upstream = await startService();
  const proxy = await startFaultProxy(upstream.emulator.dynamodbEndpoint);
  const service = await startService({ assembly, dynamodbEndpoint: proxy.url });
  const stop = async () => {
    await service.stop();
    await proxy.stop();
    await upstream.stop();
  };
  return { ...service, proxy, upstream, stop };
}
