import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../json.ts';
import { assertSupported } from '../../template/resource-types.ts';
import { arnOf, method, ref, resource, restApi } from '../fixtures/resources.ts';
import { template } from '../fixtures/template.ts';

const functionWith = (variable: JsonObject) =>
  resource('AWS::Lambda::Function', { Environment: { Variables: { VARIABLE: variable } } });
/** A queue, and a route that goes to the alias `Live` of the function `Show`. */
const parse = (resources: JsonObject) =>
  template({
    ...restApi(),
    ...method('show', 'GET', ref('Live')),
    Live: resource('AWS::Lambda::Alias', { FunctionName: ref('Show'), Name: 'live' }),
    Show: resource('AWS::Lambda::Function'),
    Queue: resource('AWS::SQS::Queue'),
    ...resources,
  });

describe('a resource of a type that the emulator does not know', () => {
  test.each<[string, JsonObject, string[]]>([
    ['nothing', {}, []],
    [
      'the role of a function',
      {
        Show: resource('AWS::Lambda::Function', { Role: arnOf('Role') }),
        Role: resource('AWS::IAM::Role', { Policies: [arnOf('Queue')] }),
      },
      [],
    ],
    [
      'a function that no request invokes',
      { Announce: functionWith(ref('Queue')), Source: resource('AWS::Lambda::EventSourceMapping') },
      ['Source'],
    ],
    ['another one', { Rule: resource('AWS::Events::Rule', { Targets: [arnOf('Queue')] }) }, ['Rule']],
  ])('is left out if %s refers to it', (_, resources, others) => {
    const { all, resolver } = parse(resources);
    expect([...resolver.template.leftOut.keys()]).toEqual(['Queue', ...others]);
    expect(resolver.template.leftOut.get('Queue')).toBe('AWS::SQS::Queue');
    expect(() => assertSupported(all)).not.toThrow();
  });

  test.each<[string, JsonObject]>([
    ['the function of a route', { Show: functionWith(ref('Queue')) }],
    [
      'the function of a route, by a part of a string,',
      { Show: functionWith({ 'Fn::Join': ['/', ['x', arnOf('Queue')]] }) },
    ],
    [
      'a function to which that of a route refers',
      { Show: functionWith(arnOf('Announce')), Announce: functionWith(ref('Queue')) },
    ],
    ['a method', method('announce', 'GET', arnOf('Queue'))],
    ['a table', { Plants: resource('AWS::DynamoDB::Table', { KeySchema: ref('Queue') }) }],
  ])('fails the start if %s refers to it', (_, resources) => {
    const { all } = parse(resources);
    expect(() => assertSupported(all)).toThrow(
      /^Queue: AWS::SQS::Queue is not supported by the emulator: add it in emulator\/template\/resource-types\.ts, or remove it from the stack$/,
    );
  });

  test('fails the start if it is a part of an API', () => {
    const { all } = parse({ Plan: resource('AWS::ApiGateway::UsagePlan') });
    expect(() => assertSupported(all)).toThrow(/^Plan: AWS::ApiGateway::UsagePlan is not supported/);
  });
});
