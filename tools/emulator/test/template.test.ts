import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../../../test/support/code-blocks.ts';
import type { JsonObject } from '../json.ts';
import { startTestEmulator } from './fixtures/emulator.ts';
import { arnOf, method, ref, resource, restApi } from './fixtures/resources.ts';

const functions = { Nothing: `exports.handler = async () => ({ statusCode: 200 });` };
const resources: JsonObject = { ...restApi(), ...method('nothing', 'GET', arnOf('Nothing')) };

// What else it rejects is in test/in-process/emulator.
test('fails the start for a property of a wrong type, and names the resource', async () => {
  const starting = startTestEmulator({
    functions,
    resources: { ...resources, ...restApi({ StageName: [] }) },
  });
  await expect(starting).rejects.toMatchObject({
    name: 'EmulatorError',
    message: 'The template cannot be used: Stage.StageName must be a string, not []; fix that in the CDK app',
  });
});

test('runs without resources that cannot matter to a request', async () => {
  const url = [
    'https://',
    ref('Api'),
    '.execute-api.',
    ref('AWS::Region'),
    '.amazonaws.com/',
    ref('Stage'),
    '/nothing',
  ];
  const emulator = await startTestEmulator({
    functions,
    resources: {
      ...resources,
      Alarm: resource('AWS::CloudWatch::Alarm'),
      Metadata: { ...resource('AWS::CDK::Metadata'), Condition: 'MetadataAvailable' },
      Queue: resource('AWS::SQS::Queue'),
    },
    outputs: {
      Url: { Value: { 'Fn::Join': ['', url] } },
      Queue: { Value: arnOf('Queue') },
      Table: { Value: 'x' },
    },
  });
  expect([...emulator.leftOut]).toEqual([['Queue', 'AWS::SQS::Queue']]);
  expect(emulator.outputs).toEqual({ Url: `${emulator.url}/nothing`, Queue: 'Queue.Arn', Table: 'x' });
  await emulator.stop();
});

test('its code and its messages name nothing of the project that uses it', () => {
  const named = globSync('tools/emulator/**/*.{ts,cjs,mjs}', {
    cwd: PROJECT,
    exclude: ['tools/emulator/test/**'],
  }).flatMap(
    (file) =>
      readFileSync(join(PROJECT, file), 'utf8').match(
        /plant.?store|npm start|contributing|\b(lib|bin)\//gi,
      ) ?? [],
  );
  expect(named).toEqual([]);
});

test('names only files that exist in messages about what is unsupported', () => {
  const named = globSync('tools/emulator/**/*.ts', {
    cwd: PROJECT,
    exclude: ['tools/emulator/test/**'],
  }).flatMap((file) => {
    const text = readFileSync(join(PROJECT, file), 'utf8');
    return text.match(/'emulator\/[\w/-]+\.ts'/g) ?? [];
  });
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((file) => !existsSync(join(PROJECT, 'tools', file.slice(1, -1))))).toEqual([]);
});
