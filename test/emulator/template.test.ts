import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { EmulatorError, startEmulator } from '../../emulator/index.ts';
import { isObject, type JsonObject } from '../../emulator/json.ts';
import { PROJECT } from '../support/code-blocks.ts';
import { startTestEmulator } from './fixtures/emulator.ts';
import { arnOf, method, ref, resource, restApi, tokenAuthorizer } from './fixtures/resources.ts';

const functions = { Nothing: `exports.handler = async () => ({ statusCode: 200 });` };
const resources: JsonObject = { ...restApi(), ...method('nothing', 'GET', arnOf('Nothing')) };

describe('the emulator, given an unsupported template,', () => {
  const integration = { integration: { Type: 'MOCK' } };
  const cases: readonly (readonly [string, JsonObject, RegExp])[] = [
    [
      'an unknown resource type',
      { Queue: resource('AWS::SQS::Queue') },
      /^Queue: AWS::SQS::Queue is not supported .*resource-types.ts, or leave it out by leaveOutLocally\(\) of lib\/ \(CONTRIBUTING.md\)$/,
    ],
    [
      'another integration',
      method('mock', 'GET', 'x', integration),
      /^MethodmockGET: .* MOCK is not supported /,
    ],
    [
      'an unknown property',
      { Api: resource('AWS::ApiGateway::RestApi', { Body: {} }) },
      /^Api .* Body is not supported .*resource-types.ts, or remove/,
    ],
    [
      'a binary media type',
      { Api: resource('AWS::ApiGateway::RestApi', { BinaryMediaTypes: ['image/png'] }) },
      /^Api.BinaryMediaTypes: image\/png is not supported/,
    ],
    [
      'a Condition',
      { Table: { ...resource('AWS::DynamoDB::Table'), Condition: 'C' } },
      /^Table: a Condition is not supported/,
    ],
    ['a method setting', restApi({ MethodSettings: [{ CachingEnabled: true }] }), /^Stage.*CachingEnabled/],
    [
      'another authorizer',
      { A: tokenAuthorizer(arnOf('Nothing'), { Type: 'REQUEST' }) },
      /^A: .* REQUEST is not supported /,
    ],
    ['a second API', { Two: resource('AWS::ApiGateway::RestApi') }, /exactly one AWS::ApiGateway::RestApi/],
    ['a missing function', method('gone', 'GET', 'arn:aws:lambda:x:1:function:gone'), /^GET \/gone: .*gone/],
    [
      'an unknown intrinsic',
      restApi({ StageName: { 'Fn::Cidr': [] } }),
      /^Stage.StageName: Fn::Cidr is not supported/,
    ],
    [
      'a property of a wrong type',
      restApi({ StageName: [] }),
      /StageName must be a string, not \[\]; fix that in lib/,
    ],
  ];
  test.each(cases)('rejects %s, and names the resource', async (_, more, message) => {
    const starting = startTestEmulator({ functions, resources: { ...resources, ...more } });
    const error = await starting.then(
      (emulator) => emulator.stop(),
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(EmulatorError);
    expect(error instanceof Error && error.message).toMatch(message);
  });

  test.each([
    [
      'another runtime',
      { Runtime: 'python3.14' },
      /^Nothing: .* python3.14 is not supported .*emulator.functions.definition.ts/,
    ],
    ['layers', { Layers: ['x'] }, /^Nothing \(AWS::Lambda::Function\): Layers is not supported/],
    [
      'a variable that is not a string',
      { Environment: { Variables: { A: {} } } },
      /Variables.A must be a string/,
    ],
  ])('rejects %s of a function, and names the function', async (_, properties, message) => {
    const starting = startTestEmulator({ functions, resources, properties: { Nothing: properties } });
    await expect(starting).rejects.toThrow(message);
  });
});

test('ignores resources that cannot matter to a request', async () => {
  const emulator = await startTestEmulator({
    functions,
    resources: {
      ...resources,
      Alarm: resource('AWS::CloudWatch::Alarm'),
      Metadata: { ...resource('AWS::CDK::Metadata'), Condition: 'MetadataAvailable' },
    },
    outputs: {
      Url: {
        Value: {
          'Fn::Join': [
            '',
            [
              'https://',
              ref('Api'),
              '.execute-api.',
              ref('AWS::Region'),
              '.amazonaws.com/',
              ref('Stage'),
              '/nothing',
            ],
          ],
        },
      },
      Table: { Value: 'x' },
    },
  });
  expect(emulator.outputs).toEqual({ Url: `${emulator.url}/nothing`, Table: 'x' });
  await emulator.stop();
});

test('names only files that exist in messages about what is unsupported', () => {
  const named = globSync('emulator/**/*.ts', { cwd: PROJECT }).flatMap((file) => {
    const text = readFileSync(join(PROJECT, file), 'utf8');
    return text.match(/'emulator\/[\w/-]+\.ts'/g) ?? [];
  });
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((file) => !existsSync(join(PROJECT, file.slice(1, -1))))).toEqual([]);
});

test.each([
  ['no folder', undefined, /is not a synthesized CDK app: synthesize it again/],
  ['no stack', { artifacts: {} }, /exactly one stack, .* has none: change bin/],
  ['two stacks', { artifacts: { A: stackOf('A'), B: stackOf('B') } }, /has A, B: change bin/],
])('rejects an assembly with %s', async (_, manifest, message) => {
  const assembly = await mkdtemp(join(tmpdir(), 'stage-assembly-'));
  if (isObject(manifest)) await writeFile(join(assembly, 'manifest.json'), JSON.stringify(manifest));
  const options = { port: 0, dynamodbPort: 0, dataDir: assembly, host: '127.0.0.1', log: () => {} };
  const emulator = await startEmulator(options);
  await expect(emulator.run({ assembly })).rejects.toThrow(message);
  await emulator.stop();
  await rm(assembly, { recursive: true });
});

function stackOf(name: string): JsonObject {
  return { type: 'aws:cloudformation:stack', properties: { templateFile: `${name}.template.json` } };
}
