import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedDynamoDB } from 'stack-emulator';
import { type FailingProxy, startFailingProxy } from '../servers/failing-proxy.ts';
import { type Service, startService } from './service.ts';

/** The service with a proxy between it and DynamoDB. */
export interface ProxiedService extends Service {
  readonly proxy: FailingProxy;
}

export async function startProxiedService(): Promise<ProxiedService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plant-store-data-'));
  const dynamodb = await startEmbeddedDynamoDB(dataDir, '127.0.0.1', 0);
  const proxy = await startFailingProxy(dynamodb.endpoint);
  const service = await startService({ dynamodbEndpoint: proxy.url });
  const stop = async () => {
    await service.stop();
    await proxy.stop();
    await dynamodb.stop();
    await rm(dataDir, { recursive: true });
  };
  return { ...service, dataDir, proxy, stop };
}
