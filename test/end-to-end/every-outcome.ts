import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../../emulator/index.ts';
import { templateFile } from '../../lib/names.ts';
import { tokenStore } from '../../tokens/token-store.ts';
import { issueToken } from '../../tokens/tokens.ts';
import { startFaultyService } from '../support/faulty-service.ts';
import type { Service } from '../support/service.ts';
import { type Json, type Resource, resourcesOf } from '../support/template-resources.ts';

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
  const assembly = await mkdtemp(join(tmpdir(), 'plant-store-prod-'));
  await synthesize({
    project: join(import.meta.dirname, '../..'),
    output: assembly,
    context: { stage: 'prod' },
  });
  const template = JSON.parse(await readFile(templateIn(assembly), 'utf8'));
  await plantBug(template, assembly);
  const service = await startFaultyService(assembly);
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
    await send(`{"id":2,"name":"${'confidential '.repeat(40_000)}"}`);
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
    await rm(assembly, { recursive: true, force: true });
  }
}

async function plantBug(template: Json, assembly: string): Promise<void> {
  const bug = join(import.meta.dirname, 'fixtures/bug-on-demand.cjs');
  const createPlant = resourcesOf(template).find(({ path }) => path === 'CreatePlant/Resource');
  Object.assign(createPlant?.Properties.Environment.Variables, { NODE_OPTIONS: `--require ${bug}` });
  await writeFile(templateIn(assembly), JSON.stringify(template));
}

function templateIn(assembly: string): string {
  return join(assembly, templateFile('prod'));
}

/** A token for which API Gateway has no cached result. */
async function anotherToken({ dynamodb, emulator }: Service): Promise<string> {
  const expiresAt = Math.floor(Date.now() / 1000) + 3600;
  const store = tokenStore(dynamodb, emulator.outputs.TokensTableName ?? '');
  return (await issueToken(store, { name: 'another', expiresAt })).text;
}
