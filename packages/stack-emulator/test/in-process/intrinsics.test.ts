import { expect, test } from '@jest/globals';
import { unsupported } from '../../errors.ts';
import type { Json } from '../../json.ts';
import { Resolver } from '../../template/intrinsics.ts';
import { parseTemplate } from '../../template/template.ts';
import { arnOf, ref, resource, table } from '../fixtures/resources.ts';

const template = parseTemplate({
  Resources: {
    Table: table('id', 'S'),
    Function: resource('AWS::Lambda::Function'),
    Named: resource('AWS::Lambda::Function', { FunctionName: 'fn' }),
    Broken: resource('AWS::Lambda::Function', { FunctionName: ref('Nowhere') }),
    Alias: resource('AWS::Lambda::Alias', { FunctionName: arnOf('Named'), Name: 'live' }),
    Queue: resource('AWS::SQS::Queue'),
  },
});
const resolve = (value: Json | undefined) => new Resolver(template).resolve(value, 'here');
const lambda = 'arn:aws:lambda:us-east-1:123456789012:function';

const cases: readonly (readonly [Json | undefined, Json | undefined])[] = [
  ['text', 'text'],
  [undefined, undefined],
  [{}, {}],
  [{ a: [1, true, null] }, { a: [1, true, null] }],
  [{ a: { Ref: 'Table', b: 1 } }, { a: { Ref: 'Table', b: 1 } }],
  [ref('Table'), 'Table'],
  [ref('Function'), 'Function'],
  [ref('Named'), 'fn'],
  [arnOf('Named'), `${lambda}:fn`],
  [ref('Alias'), `${lambda}:fn:live`],
  [ref('AWS::Partition'), 'aws'],
  [ref('AWS::URLSuffix'), 'amazonaws.com'],
  [ref('Queue'), 'Queue'],
  [arnOf('Queue'), 'Queue.Arn'],
  [{ 'Fn::Join': ['-', ['a', ref('AWS::AccountId'), 1]] }, 'a-123456789012-1'],
  [{ 'Fn::Select': ['1', { 'Fn::Split': [':', arnOf('Named')] }] }, 'aws'],
  [{ 'Fn::Select': [{ 'Fn::Join': ['', [1]] }, ['a', 'b']] }, 'b'],
];
test.each(cases)('resolves %j to %j', (value, expected) => {
  expect(resolve(value)).toStrictEqual(expected);
});

test.each([
  [{ a: { b: [{ 'Fn::Sub': 'x' }] } }, 'here.a.b: Fn::Sub'],
  [ref('Nowhere'), 'here: Ref Nowhere'],
  [ref('Broken'), 'Broken.FunctionName: Ref Nowhere'],
  [ref('AWS::NoValue'), 'here: Ref AWS::NoValue'],
  [ref('toString'), 'here: Ref toString'],
  [{ 'Fn::GetAtt': ['Table', 'Stream.Arn'] }, 'here: Fn::GetAtt Table.Stream.Arn'],
  [arnOf('Nowhere'), 'here: Fn::GetAtt Nowhere.Arn'],
])('rejects an unsupported value and names its path: %j', (value, what) => {
  expect(() => resolve(value)).toThrow(unsupported(what));
});

test('rejects an intrinsic function whose argument has the wrong type', () => {
  expect(() => resolve({ 'Fn::Join': '-' })).toThrow('here must be an array, got "-"');
});
