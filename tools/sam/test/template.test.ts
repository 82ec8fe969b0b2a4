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
const functions = resources.map(([, resource]) => resource).filter(isFunction);

test("SAM's copy of the template has the architecture of this machine", () => {
  const architecture = arch() === 'arm64' ? 'arm64' : 'x86_64';
  const expected = [...operations, 'the authorizer'].map(() => [architecture]);
  expect(functions.map(({ Properties }) => Properties?.Architectures)).toEqual(expected);
});

test("SAM's copy of the template has the ids of functions that docs/sam.md invokes", () => {
  const ids = functions.map(({ Metadata }) => Metadata?.SamResourceId);
  expect(ids.sort()).toEqual(['Authorize', ...operations.map(({ id }) => id)].sort());
});

test("SAM's copy of the template has no construct path that SAM warns of", () => {
  const paths = resources.flatMap(([, { Metadata }]) => Metadata?.['aws:cdk:path'] ?? []);
  expect(paths).toContain('PlantStore-dev/Plants/Resource');
  expect(paths.filter((path) => path.split('/').length > 3)).toEqual([]);
});

test("SAM's copy of the template otherwise equals the deployed one", () => {
  const comparable = (template: typeof copy) =>
    Object.entries(template.Resources).map(([id, resource]) => {
      const { 'aws:cdk:path': _path, SamResourceId: _id, ...metadata } = resource.Metadata ?? {};
      const { Architectures: _architectures, ...properties } = resource.Properties ?? {};
      return [id, { ...resource, Metadata: metadata, Properties: properties }];
    });
  expect(comparable(copy)).toEqual(comparable(deployed));
  expect({ ...copy, Resources: undefined }).toEqual({ ...deployed, Resources: undefined });
});

function isFunction({ Type }: { Type: string }): boolean {
  return Type === 'AWS::Lambda::Function';
}
