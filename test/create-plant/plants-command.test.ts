import { once } from 'node:events';
import { beforeAll, expect, test } from '@jest/globals';
import { command, runScript } from '../support/project/run-command.ts';
import { startCloudFormation } from '../support/servers/cloudformation.ts';
import { type Service, startTestService } from '../support/service/service.ts';
import { createPlant } from './plants.ts';

const plant =
  '{"id":9223372036854775807,"name":"\\u001b[31m\\u009b\\u007f\\u2028\\u202e","tag":"\\n"}';

let service: Service;
let env: Record<string, string>;
beforeAll(async () => {
  service = await startTestService();
  for (const body of [plant, '{"id":1,"name":"Fern"}']) await createPlant(service, body);
  const cloudFormation = await startCloudFormation({ 'PlantStore-dev': service.emulator.outputs });
  env = {
    ...cloudFormation.environment,
    DATA_DIR: service.dataDir,
    AWS_ENDPOINT_URL_DYNAMODB: service.emulator.dynamodbEndpoint,
  };
});

test('npm run plants prints every plant as JSON with its exact id and no control characters', async () => {
  const { code, stdout, stderr } = await runScript('plants', ['--stage=dev'], env);
  const lines = stdout.trimEnd().split('\n').sort();
  expect([code, stderr, lines]).toEqual([0, '', ['{"id":1,"name":"Fern"}', plant]]);
});

test('npm run plants prints every plant if they need more than one page of DynamoDB, which has 1 MB', async () => {
  const tag = 'x'.repeat(390_000);
  for (const id of [2, 3, 4]) await createPlant(service, JSON.stringify({ id, name: 'Oak', tag }));
  const { code, stdout, stderr } = await runScript('plants', ['--local'], env);
  const ids = stdout.match(/(?<=^\{"id":)\d+/gm);
  expect([code, stderr, ids?.sort()]).toEqual([0, '', ['1', '2', '3', '4', '9223372036854775807']]);
});

test('npm run plants ends without an error when its reader stops reading', async () => {
  const running = command('plants', ['--local'], env);
  running.stdout.destroy();
  await expect(once(running, 'close')).resolves.toEqual([0, null]);
});

test('npm run plants prints help, and rejects unknown arguments', async () => {
  expect((await runScript('plants', ['--help'])).stdout).toContain(
    'plants -- [--local | --stage STAGE]',
  );
  expect((await runScript('plants', ['all'])).stderr).toMatch("plants: Unexpected argument 'all'");
});
