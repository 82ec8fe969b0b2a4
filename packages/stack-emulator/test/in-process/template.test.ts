import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../json.ts';
import { parseStack } from '../../running-stack.ts';
import { parseTemplate, readTemplate } from '../../template/template.ts';
import { arnOf, method, ref, resource, restApi } from '../fixtures/resources.ts';

const functionWith = (properties: JsonObject = {}): JsonObject => ({
  ...resource('AWS::Lambda::Function', { Handler: 'x', Runtime: 'nodejs24.x', ...properties }),
  Metadata: { 'aws:asset:path': 'bundles/show-plant' },
});
const withVariable = (VARIABLE: JsonObject) =>
  functionWith({ Environment: { Variables: { VARIABLE } } });
/** Reads a template with a route to the alias `Live` of the function `Show`. */
const read = (resources: JsonObject, Outputs: JsonObject = {}) => {
  const Resources = {
    ...restApi(),
    ...method('show', 'GET', ref('Live')),
    Live: resource('AWS::Lambda::Alias', { FunctionName: ref('Show'), Name: 'live' }),
    Show: functionWith(),
    ...resources,
  };
  const template = parseTemplate({ Resources, Outputs });
  const stack = parseStack(
    template,
    (asset) => asset,
    () => async () => Buffer.of(),
  );
  return { ...stack, leftOut: template.leftOut };
};

test('reads the outputs and tables of a template, and ignores resources that cannot change a response', () => {
  const Projection = { ProjectionType: 'KEYS_ONLY' };
  const LocalSecondaryIndexes = [{ IndexName: 'byAge', Projection }];
  const resources = {
    ...restApi({ api: { EndpointConfiguration: { VpcEndpointIds: [ref('Endpoint')] } } }),
    Alarm: resource('AWS::CloudWatch::Alarm'),
    Metadata: { ...resource('AWS::CDK::Metadata'), Condition: 'MetadataAvailable' },
    Queue: resource('AWS::SQS::Queue'),
    Show: functionWith({
      ReservedConcurrentExecutions: 5,
      VpcConfig: { SubnetIds: [ref('Subnet')], SecurityGroupIds: [arnOf('Group')] },
    }),
    Subnet: resource('AWS::EC2::Subnet'),
    Group: resource('AWS::EC2::SecurityGroup'),
    Endpoint: resource('AWS::EC2::VPCEndpoint'),
    Key: resource('AWS::KMS::Key'),
    Plants: resource('AWS::DynamoDB::Table', {
      LocalSecondaryIndexes,
      SSESpecification: { KMSMasterKeyId: ref('Key') },
    }),
  };
  const { outputs, leftOut, tables } = read(resources, {
    Queue: { Value: arnOf('Queue') },
    Table: { Value: 'x' },
  });
  expect([...leftOut]).toEqual([['Queue', 'AWS::SQS::Queue']]);
  expect(outputs).toEqual({ Queue: 'Queue.Arn', Table: 'x' });
  expect(tables).toMatchObject([{ LocalSecondaryIndexes }]);
});

// The tests for authorizers, gateway responses and intrinsic functions cover more errors.
test.each<[message: string, resources: JsonObject]>([
  [
    'MethodaGET: the integration type MOCK is not supported',
    method('a', 'GET', 'x', { integration: { Type: 'MOCK' } }),
  ],
  ['MethodaANY: ANY /a is not supported', method('a', 'ANY', 'x')],
  ['MethodaGET: GET /{a+} is not supported', method('{a+}', 'GET', 'x')],
  [
    'MethodaGET: the AuthorizationType CUSTOM with the AuthorizerId aws is not supported',
    method('a', 'GET', 'x', { authorizer: 'AWS::Partition' }),
  ],
  [
    'Get: the AuthorizationType AWS_IAM with the AuthorizerId none is not supported',
    {
      Get: resource('AWS::ApiGateway::Method', {
        AuthorizationType: 'AWS_IAM',
        Integration: { Type: 'AWS_PROXY' },
      }),
    },
  ],
  [
    'Api.BinaryMediaTypes: image/png is not supported',
    restApi({ api: { BinaryMediaTypes: ['image/png'] } }),
  ],
  [
    'The template must have exactly one AWS::ApiGateway::Stage, got 2: change the stack',
    { Two: resource('AWS::ApiGateway::Stage') },
  ],
  ['Stage.StageName must be a string, got []', restApi({ stage: { StageName: [] } })],
  [
    'Stage (AWS::ApiGateway::Stage): Variables is not supported',
    restApi({ stage: { Variables: {} } }),
  ],
  [
    'GET /gone: the URI arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:x:1:function:gone/invocations is not supported',
    method('gone', 'GET', 'arn:aws:lambda:x:1:function:gone'),
  ],
  ['Live.Name must be a string, got undefined', { Live: resource('AWS::Lambda::Alias') }],
  ['show-plant: a Condition is not supported', { Show: { ...functionWith(), Condition: 'C' } }],
  ['show-plant: the runtime x is not supported', { Show: functionWith({ Runtime: 'x' }) }],
  ['show: the runtime x is not', { Show: functionWith({ Runtime: 'x', FunctionName: 'show' }) }],
  [
    'Show: the runtime x is not',
    {
      Show: {
        ...functionWith({ Runtime: 'x' }),
        Metadata: { 'aws:asset:path': 'asset.that-is-named-after-its-hash' },
      },
    },
  ],
  ['Show: Code that is not an asset is not', { Show: { ...functionWith(), Metadata: {} } }],
  [
    'show-plant (AWS::Lambda::Function): Layers is not supported',
    { Show: functionWith({ Layers: ['x'] }) },
  ],
  [
    'show-plant.Environment.Variables.VARIABLE must be a string, got {}',
    { Show: withVariable({}) },
  ],
])(
  'rejects a template that the emulator cannot run, and names the cause: %s',
  (message, resources) => {
    expect(() => read(resources)).toThrow(message);
  },
);

test.each(['', 'Infinity'])('rejects the timeout %p', (Timeout) => {
  expect(() => read({ Show: functionWith({ Timeout }) })).toThrow(
    `show-plant.Timeout must be a number, got "${Timeout}"`,
  );
});

test.each(['Authorizer', 'GatewayResponse', 'Resource', 'RestApi'])(
  'rejects an unknown property of the type AWS::ApiGateway::%s',
  (name) => {
    const type = `AWS::ApiGateway::${name}`;
    expect(() => read({ A: resource(type, { Body: {} }) })).toThrow(
      `A (${type}): Body is not supported`,
    );
  },
);

test.each([
  'AWS::EC2::Instance',
  'AWS::IAM::AccessKey',
  'AWS::KMS::Grant',
  'AWS::Logs::Stream',
  'AWS::SNS::Other',
  'toString',
])('rejects a type that resembles one the emulator knows, if a function uses it: %s', (type) => {
  const resources = { Show: withVariable(ref('Used')), Used: resource(type) };
  expect(() => read(resources)).toThrow(`Used: ${type} is not supported`);
});

describe('a resource of a type that the emulator does not know', () => {
  const Queue = resource('AWS::SQS::Queue');
  const queue = { Target: arnOf('Queue') };

  test.each<[string, JsonObject, string[]]>([
    [
      'a role',
      { Show: functionWith({ Role: arnOf('Role') }), Role: resource('AWS::IAM::Role', queue) },
      [],
    ],
    [
      'a function that no request invokes',
      { Announce: withVariable(ref('Queue')), Source: resource('AWS::Lambda::EventSourceMapping') },
      ['Source'],
    ],
    [
      'another resource of an unknown type',
      { Rule: resource('AWS::Events::Rule', queue) },
      ['Rule'],
    ],
  ])('is left out if nothing refers to it but %s', (_, resources, others) => {
    expect([...read({ Queue, ...resources }).leftOut.keys()]).toEqual(['Queue', ...others]);
  });

  test.each<[string, JsonObject]>([
    ['a route’s function', { Show: withVariable(ref('Queue')) }],
    [
      'a function that a route’s function refers to',
      { Show: withVariable(arnOf('Announce')), Announce: withVariable(ref('Queue')) },
    ],
    ['a table', { Plants: resource('AWS::DynamoDB::Table', { KeySchema: ref('Queue') }) }],
  ])('is rejected if it is referred to by %s', (_, resources) => {
    expect(() => read({ Queue, ...resources })).toThrow(
      'Queue: AWS::SQS::Queue is not supported by the emulator: remove it from the stack, or add support for it to the emulator',
    );
  });
});

test('rejects a template that uses a macro', () => {
  expect(() => parseTemplate({ Transform: 'AWS::Serverless-2016-10-31', Resources: {} })).toThrow(
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
  await expect(readTemplate(assembly)).rejects.toThrow(message);
  await rm(assembly, { recursive: true });
});
