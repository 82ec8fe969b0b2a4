import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isObject, type Json, type JsonObject } from '../../local/json.ts';
import { startStage } from '../../local/stage.ts';
import { StageError } from '../../local/stage-error.ts';
import { createResolver } from '../../local/template/intrinsics.ts';
import { parseTemplate } from '../../local/template/template.ts';
import { arnOf, method, ref, resource, restApi, table, tokenAuthorizer } from './fixtures/resources.ts';
import { startTestStage } from './fixtures/stage.ts';

const functions = { Nothing: `exports.handler = async () => ({ statusCode: 200 });` };
const resources: JsonObject = { ...restApi(), ...method('nothing', 'GET', arnOf('Nothing')) };

describe('a value of the template', () => {
  const resolver = createResolver(
    parseTemplate({
      Parameters: { Size: { Type: 'String', Default: 'small' }, Bare: { Type: 'String' } },
      Mappings: { Sizes: { small: { memory: 128 } } },
      Conditions: {
        Small: { 'Fn::Equals': [ref('Size'), 'small'] },
        Large: { 'Fn::Not': [{ Condition: 'Small' }] },
        Both: { 'Fn::And': [{ Condition: 'Small' }, { Condition: 'Large' }] },
        Either: { 'Fn::Or': [{ Condition: 'Small' }, { Condition: 'Large' }] },
        Strange: { 'Fn::Contains': [] },
      },
      Resources: {
        Table: table('id', 'S'),
        Function: resource('AWS::Lambda::Function'),
        Named: resource('AWS::Lambda::Function', { FunctionName: 'fn' }),
        Version: resource('AWS::Lambda::Version', { FunctionName: ref('Named') }),
        Alias: resource('AWS::Lambda::Alias', { FunctionName: arnOf('Named'), Name: 'live' }),
        Role: resource('AWS::IAM::Role'),
        Topic: resource('AWS::SNS::Topic'),
        Log: resource('AWS::Logs::LogGroup', { LogGroupName: '/own' }),
      },
    }),
    { region: 'eu-west-1', account: '111122223333', stackName: 'Store' },
  );
  const lambda = 'arn:aws:lambda:eu-west-1:111122223333:function';

  const cases: readonly (readonly [Json, Json | undefined])[] = [
    ['text', 'text'],
    [{ a: [1, true, null] }, { a: [1, true, null] }],
    [ref('Table'), 'Table'],
    [arnOf('Table'), 'arn:aws:dynamodb:eu-west-1:111122223333:table/Table'],
    [{ 'Fn::GetAtt': 'Table.Arn' }, 'arn:aws:dynamodb:eu-west-1:111122223333:table/Table'],
    [ref('Function'), 'Function'],
    [ref('Named'), 'fn'],
    [arnOf('Named'), `${lambda}:fn`],
    [ref('Version'), `${lambda}:fn:1`],
    [{ 'Fn::GetAtt': ['Version', 'Version'] }, '1'],
    [ref('Alias'), `${lambda}:fn:live`],
    [arnOf('Role'), 'arn:aws:iam::111122223333:role/Role'],
    [ref('Topic'), 'arn:aws:sns:eu-west-1:111122223333:Topic'],
    [ref('Log'), '/own'],
    [ref('Size'), 'small'],
    [ref('AWS::StackName'), 'Store'],
    [{ a: ref('AWS::NoValue'), b: [ref('AWS::NoValue'), 1] }, { b: [1] }],
    [{ 'Fn::Join': ['-', ['a', ref('Size'), 1]] }, 'a-small-1'],
    [
      { 'Fn::Sub': `\${Size}/\${Table.Arn}/\${!Size}` },
      `small/arn:aws:dynamodb:eu-west-1:111122223333:table/Table/\${Size}`,
    ],
    [{ 'Fn::Sub': [`\${X}`, { X: ref('AWS::Region') }] }, 'eu-west-1'],
    [{ 'Fn::Select': ['1', { 'Fn::Split': [':', arnOf('Named')] }] }, 'aws'],
    [{ 'Fn::FindInMap': ['Sizes', ref('Size'), 'memory'] }, 128],
    [{ 'Fn::If': ['Small', 'yes', ref('Nowhere')] }, 'yes'],
    [{ 'Fn::If': ['Large', 'yes', 'no'] }, 'no'],
    [{ 'Fn::If': ['Both', 'yes', 'no'] }, 'no'],
    [{ 'Fn::If': ['Either', 'yes', ref('AWS::NoValue')] }, 'yes'],
  ];
  test.each(cases)('%j is %j', (value, expected) => {
    expect(resolver.resolve(value, 'here')).toEqual(expected);
  });

  test.each([
    [{ 'Fn::ImportValue': 'x' }, 'Fn::ImportValue'],
    [ref('Nowhere'), 'Nowhere'],
    [ref('Bare'), 'Bare'],
    [{ 'Fn::GetAtt': ['Table', 'StreamArn'] }, 'Table.StreamArn (AWS::DynamoDB::Table)'],
    [{ 'Fn::Select': [7, ['a']] }, 'Fn::Select'],
    [{ 'Fn::FindInMap': ['Sizes', 'large', 'memory'] }, 'Sizes.large.memory'],
    [{ 'Fn::If': ['Strange', 1, 2] }, 'Fn::Contains'],
    [{ 'Fn::If': ['Unknown', 1, 2] }, 'Unknown'],
  ])('%j is an error that names it', (value, name) => {
    expect(() => resolver.resolve(value, 'here')).toThrow(StageError);
    expect(() => resolver.resolve(value, 'here')).toThrow(name);
  });
});

describe('a template is refused, by name, for', () => {
  const integration = { integration: { Type: 'MOCK' } };
  const cases: readonly (readonly [string, JsonObject, RegExp])[] = [
    ['a resource that might matter', { Queue: resource('AWS::SQS::Queue') }, /^Queue: .* AWS::SQS::Queue$/],
    ['another integration', method('mock', 'GET', 'x', integration), /^Methodmock.* not MOCK$/],
    [
      'a property nobody honours',
      { Api: resource('AWS::ApiGateway::RestApi', { Body: {} }) },
      /^Api .* Body$/,
    ],
    ['a method setting', restApi({ MethodSettings: [{ CachingEnabled: true }] }), /^Stage.*CachingEnabled/],
    [
      'another authorizer',
      { A: tokenAuthorizer(arnOf('Nothing'), { Type: 'REQUEST' }) },
      /^A: .* not REQUEST$/,
    ],
    ['a second API', { Two: resource('AWS::ApiGateway::RestApi') }, /exactly one AWS::ApiGateway::RestApi/],
    ['a missing function', method('gone', 'GET', 'arn:aws:lambda:x:1:function:gone'), /^GET \/gone: .*gone/],
    ['an unknown intrinsic', restApi({ StageName: { 'Fn::Cidr': [] } }), /^Stage.StageName: Fn::Cidr/],
    ['a property of a wrong type', restApi({ StageName: [] }), /StageName must be a string, not \[\]/],
  ];
  test.each(cases)('%s', async (_, more, message) => {
    const starting = startTestStage({ functions, resources: { ...resources, ...more } });
    const error = await starting.then(
      (stage) => stage.stop(),
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StageError);
    expect(error instanceof Error && error.message).toMatch(message);
  });

  test.each([
    ['another runtime', { Runtime: 'python3.14' }, /^Nothing: .* python3.14$/],
    ['layers', { Layers: ['x'] }, /^Nothing \(AWS::Lambda::Function\): .* Layers$/],
    ['a variable that is no text', { Environment: { Variables: { A: {} } } }, /Variables.A must be a string/],
  ])('%s of a function', async (_, properties, message) => {
    const starting = startTestStage({ functions, resources, properties: { Nothing: properties } });
    await expect(starting).rejects.toThrow(message);
  });
});

test('what can’t matter here is left out and listed; what doesn’t exist is not even that', async () => {
  const stage = await startTestStage({
    functions,
    sections: { Conditions: { Never: { 'Fn::Equals': ['a', 'b'] } } },
    resources: {
      ...resources,
      Alarm: resource('AWS::CloudWatch::Alarm'),
      Absent: { ...resource('AWS::SQS::Queue'), Condition: 'Never' },
    },
    outputs: {
      Url: {
        Value: { 'Fn::Sub': `https://\${Api}.execute-api.\${AWS::Region}.amazonaws.com/\${Stage}/nothing` },
      },
      Table: { Value: 'x' },
      Absent: { Value: { 'Fn::ImportValue': 'x' }, Condition: 'Never' },
    },
  });
  expect(stage.notNeeded).toEqual([
    { logicalId: 'Alarm', type: 'AWS::CloudWatch::Alarm', reason: 'nobody is watching' },
  ]);
  expect(stage.outputs).toEqual({ Url: `${stage.url}/nothing`, Table: 'x' });
  await stage.stop();
});

test.each([
  ['no folder', undefined, /is no synthesized CDK app/],
  ['no stack', { artifacts: {} }, /exactly one stack .* it found: none$/],
  ['two stacks', { artifacts: { A: stackOf('A'), B: stackOf('B') } }, /it found: A, B$/],
])('an assembly with %s is refused', async (_, manifest, message) => {
  const assembly = await mkdtemp(join(tmpdir(), 'stage-assembly-'));
  if (isObject(manifest)) await writeFile(join(assembly, 'manifest.json'), JSON.stringify(manifest));
  const options = { assembly, port: 0, dynamodbPort: 0, dataDir: assembly, host: '127.0.0.1', log: () => {} };
  await expect(startStage(options)).rejects.toThrow(message);
  await rm(assembly, { recursive: true });
});

function stackOf(name: string): JsonObject {
  return { type: 'aws:cloudformation:stack', properties: { templateFile: `${name}.template.json` } };
}
