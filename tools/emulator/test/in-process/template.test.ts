import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../json.ts';
import { createPlan } from '../../plan.ts';
import { readAssembly } from '../../template/assembly.ts';
import { parseTemplate } from '../../template/template.ts';
import { arnOf, method, ref, resource, restApi } from '../fixtures/resources.ts';

const functionWith = (properties: JsonObject = {}): JsonObject => ({
  ...resource('AWS::Lambda::Function', { Handler: 'x', Runtime: 'nodejs24.x', ...properties }),
  Metadata: { 'aws:asset:path': 'bundles/show-plant' },
});
const withVariable = (VARIABLE: JsonObject) => functionWith({ Environment: { Variables: { VARIABLE } } });
const api = (properties: JsonObject) => ({ Api: resource('AWS::ApiGateway::RestApi', properties) });
/** Reads a template with a route to the alias `Live` of the function `Show`. */
const read = (resources: JsonObject, Outputs: JsonObject = {}) => {
  const Resources = {
    ...restApi(),
    ...method('show', 'GET', ref('Live')),
    Live: resource('AWS::Lambda::Alias', { FunctionName: ref('Show'), Name: 'live' }),
    Show: functionWith(),
    ...resources,
  };
  return createPlan(
    parseTemplate({ Resources, Outputs }, 'Store'),
    (asset) => asset,
    () => async () => Buffer.of(),
  );
};

test('reads the outputs of a template, and ignores resources that cannot change a response', () => {
  const resources = {
    Alarm: resource('AWS::CloudWatch::Alarm'),
    Metadata: { ...resource('AWS::CDK::Metadata'), Condition: 'MetadataAvailable' },
    Queue: resource('AWS::SQS::Queue'),
  };
  const { outputs, leftOut } = read(resources, { Queue: { Value: arnOf('Queue') }, Table: { Value: 'x' } });
  expect([...leftOut]).toEqual([['Queue', 'AWS::SQS::Queue']]);
  expect(outputs).toEqual({ Queue: 'Queue.Arn', Table: 'x' });
});

// The tests for authorizers, gateway responses, throttles and intrinsic functions cover more errors.
test.each<[string, JsonObject, RegExp]>([
  [
    'an integration other than AWS_PROXY',
    method('a', 'GET', 'x', { integration: { Type: 'MOCK' } }),
    /^MethodaGET: .*MOCK is not/,
  ],
  [
    'a route to a missing authorizer',
    method('a', 'GET', 'x', { authorizer: 'AWS::StackName' }),
    /^MethodaGET: the AuthorizationType CUSTOM with the authorizer Store is not supported/,
  ],
  [
    'an unsupported authorization type',
    {
      Get: resource('AWS::ApiGateway::Method', {
        AuthorizationType: 'AWS_IAM',
        Integration: { Type: 'AWS_PROXY' },
      }),
    },
    /^Get: the AuthorizationType AWS_IAM is not/,
  ],
  ['an unknown property of RestApi', api({ Body: {} }), /^Api \(.*::RestApi\): Body is not supported/],
  ...['Authorizer', 'GatewayResponse', 'Resource'].map((type): [string, JsonObject, RegExp] => [
    `an unknown property of ${type}`,
    { A: resource(`AWS::ApiGateway::${type}`, { Body: {} }) },
    /^A \(.*\): Body is not supported/,
  ]),
  ...['IAM::AccessKey', 'KMS::Grant', 'Logs::Stream', 'SNS::Other'].map(
    (type): [string, JsonObject, RegExp] => [
      `a function that uses ${type}`,
      { Show: withVariable(ref('A')), A: resource(`AWS::${type}`) },
      /^A: AWS::\w+::\w+ is not supported/,
    ],
  ),
  [
    'a function that uses a type with the name of a method',
    { Show: withVariable(ref('A')), A: resource('toString') },
    /^A: toString is not supported/,
  ],
  ...['', true, 'Infinity'].map((Timeout): [string, JsonObject, RegExp] => [
    `${JSON.stringify(Timeout)} as the Timeout`,
    { Show: functionWith({ Timeout }) },
    /^show-plant.Timeout must be a number, got ["t]/,
  ]),
  ['a binary media type', api({ BinaryMediaTypes: ['image/png'] }), /^Api.BinaryMediaTypes: image\/png is/],
  [
    'a function that has a Condition',
    { Show: { ...functionWith(), Condition: 'C' } },
    /^show-plant: a Condition is not supported/,
  ],
  ['two stages', { Two: resource('AWS::ApiGateway::Stage') }, /exactly one AWS::ApiGateway::Stage, got 2:/],
  [
    'a route to a missing function',
    method('gone', 'GET', 'arn:aws:lambda:x:1:function:gone'),
    /^GET \/gone: .*gone/,
  ],
  [
    'a runtime other than Node.js',
    { Show: functionWith({ Runtime: 'python3.14' }) },
    /^show-plant: .* only Node.js functions, got the runtime python3.14: /,
  ],
  [
    'a function whose code is not an asset',
    { Show: { ...functionWith(), Metadata: {} } },
    /^Show: the function's code must be an asset/,
  ],
  [
    'an unsupported function whose asset is named after its hash',
    { Show: { ...functionWith({ Runtime: 'x' }), Metadata: { 'aws:asset:path': 'asset.0a1b' } } },
    /^Show: .* the runtime x: /,
  ],
  [
    'an unsupported function that has a FunctionName',
    { Show: functionWith({ Runtime: 'x', FunctionName: 'show' }) },
    /^show: .* the runtime x: /,
  ],
  [
    'a function with layers',
    { Show: functionWith({ Layers: ['x'] }) },
    /^show-plant \(.*\): Layers is not supported/,
  ],
  [
    'an object as the value of an environment variable',
    { Show: withVariable({}) },
    /^show-plant.Environment.Variables.VARIABLE must be a string, got {}/,
  ],
  ['an array as the stage name', restApi({ StageName: [] }), /^Stage.StageName must be a string, got \[\]$/],
  [
    'an alias without a name',
    { Live: resource('AWS::Lambda::Alias') },
    /^Live.Name must be a string, got un/,
  ],
])('rejects a template with %s, and names the cause', (_, resources, message) => {
  expect(() => read(resources)).toThrow(message);
});

describe('a resource of a type that the emulator does not know', () => {
  const Queue = resource('AWS::SQS::Queue');
  const queue = { Target: arnOf('Queue') };

  test.each<[string, JsonObject, string[]]>([
    ['a role', { Show: functionWith({ Role: arnOf('Role') }), Role: resource('AWS::IAM::Role', queue) }, []],
    [
      'a function that no request invokes',
      { Announce: withVariable(ref('Queue')), Source: resource('AWS::Lambda::EventSourceMapping') },
      ['Source'],
    ],
    ['another resource of an unknown type', { Rule: resource('AWS::Events::Rule', queue) }, ['Rule']],
  ])('is left out if only %s refers to it', (_, resources, others) => {
    expect([...read({ Queue, ...resources }).leftOut.keys()]).toEqual(['Queue', ...others]);
  });

  test.each<[string, JsonObject]>([
    ['a route’s function', { Show: withVariable(ref('Queue')) }],
    [
      'a function that a route’s function refers to',
      { Show: withVariable(arnOf('Announce')), Announce: withVariable(ref('Queue')) },
    ],
    ['a table', { Plants: resource('AWS::DynamoDB::Table', { KeySchema: ref('Queue') }) }],
  ])('is rejected if %s refers to it', (_, resources) => {
    expect(() => read({ Queue, ...resources })).toThrow(
      'Queue: AWS::SQS::Queue is not supported by the emulator: remove it from the stack, or add support for it to the emulator',
    );
  });
});

test('rejects a template that uses a macro', () => {
  expect(() => parseTemplate({ Transform: 'AWS::Serverless-2016-10-31', Resources: {} }, 'Store')).toThrow(
    /^Transform is not supported/,
  );
});

const stack = { type: 'aws:cloudformation:stack' };
test.each([
  ['no stack', { artifacts: {} }, /exactly one stack, got none: /],
  ['two stacks', { artifacts: { A: stack, B: stack } }, /got A, B: /],
])('rejects an assembly with %s', async (_, manifest, message) => {
  const assembly = await mkdtemp(join(tmpdir(), 'emulator-assembly-'));
  await writeFile(join(assembly, 'manifest.json'), JSON.stringify(manifest));
  await expect(readAssembly(assembly)).rejects.toThrow(message);
  await rm(assembly, { recursive: true });
});

test('the emulator’s code does not mention the project that uses it', () => {
  const cwd = join(import.meta.dirname, '../..');
  const files = globSync('**/*.{ts,cjs,mjs}', { cwd, exclude: ['test/**'] });
  const names = /plant.?store|npm start|contributing|\b(lib|bin)\//gi;
  expect(files).toContain('plan.ts');
  expect(files.flatMap((file) => readFileSync(join(cwd, file), 'utf8').match(names) ?? [])).toEqual([]);
});
