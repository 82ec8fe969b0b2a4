import { join } from 'node:path';
import { tokenStore } from '../../tools/tokens/token-store.ts';
import { issueToken } from '../../tools/tokens/tokens.ts';
import { changedAssembly, setEnvironment } from '../support/changed-assembly.ts';
import { startFaultyService } from '../support/faulty-service.ts';
import type { Service } from '../support/service.ts';
import { type Resource, resourcesOf } from '../support/template-resources.ts';

export interface EveryOutcome {
  readonly resources: readonly Resource[];
  /** The lines that the functions logged. */
  readonly log: readonly string[];
  /** The status of each response and, if it has one, its error code, in order. */
  readonly responses: readonly string[];
  /** Strings that occur only in requests and items. */
  readonly confidential: readonly string[];
}

/** Synthesizes prod, starts it, and sends requests that produce every outcome of its functions. */
export async function runEveryOutcome(): Promise<EveryOutcome> {
  const bug = join(import.meta.dirname, 'fixtures/bug-on-demand.cjs');
  const { folder, template, remove } = await changedAssembly(
    (find) => setEnvironment(find, 'CreatePlant', { NODE_OPTIONS: `--require ${bug}` }),
    { stage: 'prod' },
  );
  const service = await startFaultyService(folder);
  try {
    const good = { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' };
    const unknown = service.token.replace(/_[0-9a-f]{16}_/, '_0000000000000000_');
    const uncached = await anotherToken(service);
    const responses: string[] = [];
    const send = async (body: string, headers = {}) => {
      const response = await service.send({ body, headers: { ...good, ...headers } });
      responses.push([response.status, response.body.error].join(' ').trim());
    };

    await send('{"id":1,"name":"confidential name","tag":"confidential tag"}');
    await send('{"id":1,"name":"confidential name","tag":"confidential tag"}');
    await send('{"id":1,"name":"another confidential name"}');
    await send('confidential text', { 'Content-Type': 'text/plain' });
    await send('confidential text');
    await send('{"id":"confidential id","name":1}');
    await send(`{"id":2,"name":"confidential name","unknown":"${'confidential '.repeat(200_000)}"}`);
    await send('{"id":3,"name":"bug","tag":"confidential tag"}');
    await send('{"id":4,"name":"confidential name"}', { Authorization: `Bearer ${unknown}` });
    service.proxy.decide = () => 'reset before it was applied';
    await send('{"id":5,"name":"confidential name"}');
    await send('{"id":5,"name":"confidential name"}', { Authorization: `Bearer ${uncached}` });

    const secrets = [service.token, unknown, uncached].map((token) => token.slice(-64));
    return {
      resources: resourcesOf(template),
      log: service.log,
      responses,
      confidential: ['confidential', ...secrets],
    };
  } finally {
    await service.stop();
    await remove();
  }
}

/** A token for which API Gateway has no cached result. */
async function anotherToken({ dynamodb, emulator }: Service): Promise<string> {
  const expiresAt = Math.floor(Date.now() / 1000) + 3600;
  const store = tokenStore(dynamodb, emulator.outputs.TokensTableName ?? '');
  return (await issueToken(store, { name: 'another', expiresAt })).text;
}
