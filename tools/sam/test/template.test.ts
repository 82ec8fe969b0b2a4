import { readFileSync } from 'node:fs';
import { arch } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { templateFile } from '../../../lib/names.ts';
import { operations } from '../../../lib/operations.ts';
import { synthesizedAssembly } from '../../../test/support/synthesized-assembly.ts';
import { samTemplate } from '../template.ts';

const deployed = JSON.parse(readFileSync(join(synthesizedAssembly(), templateFile('dev')), 'utf8'));
const copy = samTemplate(deployed);
const resources = Object.entries(copy.Resources);

test('in SAM’s copy of the template, functions have this machine’s architecture, and the ids that docs/sam.md uses', () => {
  const architecture = arch() === 'arm64' ? 'arm64' : 'x86_64';
  const found = resources.filter(([, { Type }]) => Type === 'AWS::Lambda::Function');
  expect(
    found.map(([, { Properties, Metadata }]) => [Metadata?.SamResourceId, Properties?.Architectures]).sort(),
  ).toEqual(['Authorize', ...operations.map(({ id }) => id)].sort().map((id) => [id, [architecture]]));
});

test('SAM’s copy of the template has no construct path that SAM warns about, and otherwise equals the deployed template', () => {
  const comparable = (template: typeof copy) =>
    Object.entries(template.Resources).map(([id, resource]) => {
      const { 'aws:cdk:path': _path, SamResourceId: _id, ...metadata } = resource.Metadata ?? {};
      const { Architectures: _architectures, ...properties } = resource.Properties ?? {};
      return [id, { ...resource, Metadata: metadata, Properties: properties }];
    });
  const paths = resources.flatMap(([, { Metadata }]) => Metadata?.['aws:cdk:path'] ?? []);
  expect(paths).toContain('PlantStore-dev/Tokens/Resource');
  expect(paths.filter((path) => path.split('/').length > 3)).toEqual([]);
  expect(comparable(copy)).toEqual(comparable(deployed));
  expect({ ...copy, Resources: undefined }).toEqual({ ...deployed, Resources: undefined });
});
