import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isObject, type JsonObject } from '../../json.ts';
import { createRestApi } from '../../rest-api/rest-api.ts';
import { readAssembly } from '../../template/assembly.ts';
import { assertSupported } from '../../template/resource-types.ts';
import { arnOf, method, resource, restApi } from '../fixtures/resources.ts';
import { template } from '../fixtures/template.ts';

const nothing = (properties: JsonObject = {}): JsonObject => ({
  Nothing: {
    ...resource('AWS::Lambda::Function', { Handler: 'x', Runtime: 'nodejs24.x', ...properties }),
    Metadata: { 'aws:asset:path': 'asset' },
  },
});
const read = (resources: JsonObject) => {
  const known = { ...restApi(), ...method('nothing', 'GET', arnOf('Nothing')), ...nothing() };
  const { all, resolver } = template({ ...known, ...resources });
  assertSupported(all);
  const invokeOf = () => () => Promise.reject(new Error('nothing is invoked'));
  createRestApi({ resources: all, resolver, assetFolder: (asset) => asset, invokeOf });
};

// What is wrong with authorizers, gateway responses, throttles and intrinsic functions is in the tests of these.
describe('the emulator', () => {
  test('reads a template of which it supports everything', () => {
    expect(() => read({})).not.toThrow();
  });

  test.each<[string, JsonObject, RegExp]>([
    [
      'another integration',
      method('mock', 'GET', 'x', { integration: { Type: 'MOCK' } }),
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
    ['a second API', { Two: resource('AWS::ApiGateway::RestApi') }, /exactly one AWS::ApiGateway::RestApi/],
    ['a missing function', method('gone', 'GET', 'arn:aws:lambda:x:1:function:gone'), /^GET \/gone: .*gone/],
    ['another runtime', nothing({ Runtime: 'python3.14' }), /^Nothing: .* python3.14 is not .*definition.ts/],
    ['layers', nothing({ Layers: ['x'] }), /^Nothing \(AWS::Lambda::Function\): Layers is not supported/],
    [
      'a variable that is not a string',
      nothing({ Environment: { Variables: { A: {} } } }),
      /Variables.A must be a string/,
    ],
  ])('rejects a template with %s by name', (_, resources, message) => {
    expect(() => read(resources)).toThrow(message);
  });

  test.each([
    ['no folder', undefined, /is not a synthesized CDK app: synthesize it again/],
    ['no stack', { artifacts: {} }, /exactly one stack, and the CDK app has none: /],
    ['two stacks', { artifacts: { A: stackOf('A'), B: stackOf('B') } }, /has A, B: /],
  ])('rejects an assembly with %s', async (_, manifest, message) => {
    const assembly = await mkdtemp(join(tmpdir(), 'emulator-assembly-'));
    if (isObject(manifest)) await writeFile(join(assembly, 'manifest.json'), JSON.stringify(manifest));
    await expect(readAssembly(assembly)).rejects.toThrow(message);
    await rm(assembly, { recursive: true });
  });
});

function stackOf(name: string): JsonObject {
  return { type: 'aws:cloudformation:stack', properties: { templateFile: `${name}.template.json` } };
}
