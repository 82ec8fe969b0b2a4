import { describe, expect, test } from '@jest/globals';
import { EmulatorError } from '../../emulator-error.ts';
import type { Json } from '../../json.ts';
import { createResolver } from '../../template/intrinsics.ts';
import { resolveOutputs } from '../../template/outputs.ts';
import { parseTemplate } from '../../template/template.ts';
import { arnOf, ref, resource, table } from '../fixtures/resources.ts';

describe('Resolver.resolve', () => {
  const template = parseTemplate({
    Resources: {
      Table: table('id', 'S'),
      Function: resource('AWS::Lambda::Function'),
      Named: resource('AWS::Lambda::Function', { FunctionName: 'fn' }),
      Broken: resource('AWS::Lambda::Function', { FunctionName: ref('Nowhere') }),
      Version: resource('AWS::Lambda::Version', { FunctionName: ref('Named') }),
      Alias: resource('AWS::Lambda::Alias', { FunctionName: arnOf('Named'), Name: 'live' }),
      Log: resource('AWS::Logs::LogGroup', { LogGroupName: '/own' }),
      Queue: resource('AWS::SQS::Queue'),
    },
  });
  const pseudo = { region: 'eu-west-1', account: '111122223333', stackName: 'Store' };
  const resolve = (value: Json | undefined) => createResolver(template, pseudo).resolve(value, 'here');
  const lambda = 'arn:aws:lambda:eu-west-1:111122223333:function';

  const cases: readonly (readonly [Json | undefined, Json | undefined])[] = [
    ['text', 'text'],
    [undefined, undefined],
    [{}, {}],
    [{ a: [1, true, null] }, { a: [1, true, null] }],
    [
      { Ref: 'Table', Version: 1 },
      { Ref: 'Table', Version: 1 },
    ],
    [ref('Table'), 'Table'],
    [ref('Function'), 'Function'],
    [ref('Named'), 'fn'],
    [arnOf('Named'), `${lambda}:fn`],
    [ref('Version'), `${lambda}:fn:1`],
    [ref('Alias'), `${lambda}:fn:live`],
    [ref('Log'), '/own'],
    [ref('AWS::StackName'), 'Store'],
    [ref('AWS::Partition'), 'aws'],
    [ref('AWS::URLSuffix'), 'amazonaws.com'],
    [ref('Queue'), 'Queue'],
    [arnOf('Queue'), 'Queue.Arn'],
    [{ a: ref('AWS::NoValue'), b: [ref('AWS::NoValue'), 1] }, { b: [1] }],
    [{ 'Fn::Join': ['-', ['a', ref('Table'), 1]] }, 'a-Table-1'],
    [{ 'Fn::Select': ['1', { 'Fn::Split': [':', arnOf('Named')] }] }, 'aws'],
  ];
  test.each(cases)('resolves %j to %j', (value, expected) => {
    expect(resolve(value)).toStrictEqual(expected);
  });

  const unsupported = (file = 'intrinsics.ts') =>
    ` is not supported by the emulator: add it in emulator/template/${file}, or remove it from the stack`;
  const refer = ': add it, or refer to another';

  test.each([
    [{ 'Fn::ImportValue': 'x' }, `here: Fn::ImportValue${unsupported()}`],
    [{ a: { b: [{ 'Fn::ImportValue': 'x' }] } }, `here.a.b: Fn::ImportValue${unsupported()}`],
    [ref('Nowhere'), `here: the template has no resource Nowhere${refer}`],
    [ref('Broken'), `Broken.FunctionName: the template has no resource Nowhere${refer}`],
    [ref('AWS::Moon'), `here: AWS::Moon${unsupported()}`],
    [
      { 'Fn::GetAtt': ['Table', 'Stream.Arn'] },
      `here: Fn::GetAtt Table.Stream.Arn (AWS::DynamoDB::Table)${unsupported('references.ts')}`,
    ],
    [arnOf('Nowhere'), `here: the template has no resource Nowhere${refer}`],
    [{ 'Fn::GetAtt': [] }, `here: the template has no resource ${refer}`],
    [
      { 'Fn::GetAtt': ['Table'] },
      `here: Fn::GetAtt Table. (AWS::DynamoDB::Table)${unsupported('references.ts')}`,
    ],
    [{ 'Fn::Select': [7, ['a']] }, 'here: Fn::Select finds no entry 7: choose one that its array has'],
    [{ 'Fn::If': ['Small', 1, 2] }, `here: Fn::If${unsupported()}`],
    [{ 'Fn::Sub': 'x' }, `here: Fn::Sub${unsupported()}`],
  ])('rejects %j with its path and what to do', (value, message) => {
    expect(() => resolve(value)).toThrow(new EmulatorError(message));
    expect(() => resolve(value)).toThrow(EmulatorError);
  });

  test.each([
    [{ 'Fn::Join': '-' }, 'here must be an array, not "-"'],
    [{ 'Fn::GetAtt': 7 }, 'here must be an array, not 7'],
  ])('rejects %j, which has a wrong type', (value, message) => {
    expect(() => resolve(value)).toThrow(new TypeError(message));
  });
});

describe('resolveOutputs', () => {
  const outputsOf = (outputs: Readonly<Record<string, Json>>) => {
    const template = parseTemplate({
      Resources: {
        Table: table('id', 'S'),
        Domain: resource('AWS::ApiGateway::DomainName', { DomainName: 'plants.example.com' }),
      },
      Outputs: outputs,
    });
    const resolver = createResolver(template, { region: 'eu-west-1', account: '1', stackName: 'Store' });
    return resolveOutputs(resolver, { apiId: 'api', stage: 'dev' }, 'http://localhost:3000');
  };

  test('returns the values by name, with the local URL in place of the deployed ones', () => {
    const outputs = {
      Table: { Value: ref('Table') },
      Url: { Value: 'https://api.execute-api.eu-west-1.amazonaws.com/dev/plants' },
      Domain: { Value: 'https://plants.example.com/plants' },
      Other: { Value: 'https://api.execute-api.eu-west-1.amazonaws.com/prod' },
      Empty: {},
    };
    expect(outputsOf(outputs)).toEqual({
      Table: 'Table',
      Url: 'http://localhost:3000/plants',
      Domain: 'http://localhost:3000/plants',
      Other: 'https://api.execute-api.eu-west-1.amazonaws.com/prod',
      Empty: '',
    });
  });

  test('rejects an output with a Condition, and an unknown reference by its path', () => {
    expect(() => outputsOf({ Url: { Value: 'x', Condition: 'Small' } })).toThrow(
      /^Outputs\.Url: a Condition is not/,
    );
    expect(() => outputsOf({ Url: { Value: ref('Nowhere') } })).toThrow(/^Outputs\.Url: the template has no/);
  });
});
