import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { announceEmulator } from '@plant-store/emulator';
import { startCloudFormation } from '../../../test/support/cloudformation.ts';
import { type Service, startService } from '../../../test/support/service.ts';
import { command, outcomeOf } from '../../../test/support/token-command.ts';

const plant = '{"id":9223372036854775807,"name":"\\u001b[31m\\u009b\\u007f\\u2028\\u202e","tag":"\\n"}';

let service: Service;
beforeAll(async () => {
  service = await startService();
  await announceEmulator(service.dataDir, service.emulator);
  for (const body of [plant, '{"id":1,"name":"Fern"}']) await service.create(body);
});
afterAll(() => service.stop());

const plants = (args: readonly string[], env: Record<string, string> = {}) =>
  command('plants', args, { DATA_DIR: service.dataDir, ...env });

test('npm run plants prints every plant as a JSON line, with its exact id and without control characters', async () => {
  const { code, stdout, stderr } = await outcomeOf(plants(['--local']));
  expect([code, stderr, stdout.trimEnd().split('\n').sort()]).toEqual([
    0,
    '',
    ['{"id":1,"name":"Fern"}', plant],
  ]);
});

test('npm run plants ends without an error when its reader stops reading', async () => {
  const running = plants(['--local']);
  running.stdout.destroy();
  await expect(once(running, 'close')).resolves.toEqual([0, null]);
});

test('npm run plants finds the table of a deployed stage through its CloudFormation stack', async () => {
  const cloudFormation = await startCloudFormation({ 'PlantStore-dev': {} });
  const env = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'any',
    AWS_SECRET_ACCESS_KEY: 'any',
    AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
    AWS_ENDPOINT_URL_DYNAMODB: service.emulator.dynamodbEndpoint,
  };
  const deployed = await outcomeOf(plants([], env));
  const missing = await outcomeOf(plants(['--stage', 'demo'], env));
  const nowhere = await outcomeOf(plants([], { ...env, AWS_REGION: '' }));
  await cloudFormation.stop();
  expect(deployed.stdout).toContain(plant);
  expect([missing.code, missing.stderr]).toEqual([
    1,
    'plants: ValidationError: Stack with id PlantStore-demo does not exist\n',
  ]);
  expect(nowhere.stderr).toMatch(/^plants: no AWS region: set AWS_REGION.*\n$/);
});

test('npm run plants prints help, and rejects unknown arguments', async () => {
  expect((await outcomeOf(plants(['--help']))).stdout).toContain('plants -- [--local | --stage STAGE]');
  expect((await outcomeOf(plants(['all']))).stderr).toMatch("plants: Unexpected argument 'all'");
});
