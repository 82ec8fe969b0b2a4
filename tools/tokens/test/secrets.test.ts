import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { Outcome } from '../../../test/support/project/run-command.ts';
import { type ProxiedService, startProxiedService } from '../../../test/support/service/service.ts';
import { token } from './token-command.ts';

let service: ProxiedService;
beforeAll(async () => {
  service = await startProxiedService();
});

test('logs, files and messages never contain a token, a secret or (except in the table) a hash', async () => {
  const { proxy, dataDir } = service;
  // Given valid, wrong, unknown and malformed tokens
  const env = { DATA_DIR: dataDir };
  const outcomes: Outcome[] = [];
  const issued = async (...args: string[]) => {
    const { stdout, stderr, code } = await token([...args, '--local'], env);
    outcomes.push({ stdout: '', stderr, code });
    return stdout;
  };
  const good = await issued('issue', 'client');
  const successor = await issued('rotate', 'client');
  const wrong = good.replace(/[0-9a-f]{64}$/, 'fedcba9876543210'.repeat(4));
  const unknown = good.replace(/_[0-9a-f]{16}_/, '_fedcba9876543210_');
  const malformed = `${good}x`;

  // When clients and an operator use them correctly and incorrectly, even while DynamoDB is unreachable
  for (const accessToken of [good, successor, wrong, unknown, malformed]) await use(accessToken);
  for (const body of ['{', `{"id":"${good}","name":1}`, '{"id":2,"name":"Oak"}'])
    await use(good, body);
  proxy.decide = () => 'reset before it was applied';
  await use(successor, '{"id":3,"name":"Ficus"}');
  await use(wrong);
  proxy.decide = () => 'none';
  for (const args of [
    ['list', '--local'],
    ['list', '--local', good],
    ['list', '--stage', good],
    ['list', '--local', `--${good}`],
    ['revoke', '--local', good],
    ['revoke', '--local', secretOf(good)],
    ['issue', '--local', good],
    ['issue', '--local', 'x', '--expires', good],
    ['rotate', '--local', good],
    [good],
  ]) {
    outcomes.push(await token(args, env));
  }

  // Then no output contains their secrets or hashes
  const written = [
    ...service.log,
    ...outcomes.flatMap(({ stdout, stderr }) => [stdout, stderr]),
  ].join('\n');
  expect(written).toContain('client');
  const table = await everythingIn(dataDir);
  for (const accessToken of [good, successor, wrong, unknown]) {
    expect(written).not.toContain(secretOf(accessToken));
    expect(written).not.toContain(hashOf(accessToken));
    expect(table).not.toContain(secretOf(accessToken));
  }
  expect(written).not.toMatch(/Bearer |authorization/i);
  expect(table).toContain(hashOf(good));
});

function use(accessToken: string, body = '{"id":1,"name":"Ficus"}') {
  return service.send({ token: accessToken, body });
}

function secretOf(accessToken: string): string {
  return accessToken.split('_')[2] ?? '';
}

function hashOf(accessToken: string): string {
  return createHash('sha256').update(secretOf(accessToken)).digest('hex');
}

async function everythingIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n');
}
