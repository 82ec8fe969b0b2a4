import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { everyOptionOfProd } from './option-combinations.ts';
import { stackTemplate } from './stack-template.ts';

/**
 * The type and stages of each resource and output of the deployed stacks, by logical id. If the code no longer has a
 * logical id, a deployment deletes the resource. To allow this, edit logical-ids.json, and have the edit reviewed.
 */
const record: Record<string, string> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'logical-ids.json'), 'utf8'),
);

test.each<[string, Record<string, unknown>]>([
  ['dev', {}],
  ['prod', { stage: 'prod' }],
  ['prod with every option', everyOptionOfProd],
])('deploying %s deletes no resource or output that is in logical-ids.json', (name, options) => {
  const recorded = Object.entries(record).flatMap(([id, resource]) => {
    const [type = '', stages = ''] = resource.split(' in ');
    return stages === 'every stage' || stages.split(', ').includes(name) ? [[id, type]] : [];
  });
  expect(recorded.length).toBeGreaterThan(50);
  expect(typesByLogicalId(options)).toMatchObject(Object.fromEntries(recorded));
});

function typesByLogicalId(options: Record<string, unknown>): Record<string, string> {
  const { Resources, Outputs } = stackTemplate(options).toJSON();
  const resources = Object.entries<{ Type: string }>(Resources).map(([id, { Type }]) => {
    return [withoutContentHash(id, Type), Type];
  });
  return Object.fromEntries([...resources, ...Object.keys(Outputs).map((id) => [id, 'Output'])]);
}

/** The CDK appends a hash of the published content to these ids, so each change replaces the resource. */
function withoutContentHash(id: string, type: string): string {
  return /^AWS::(ApiGateway::Deployment|Lambda::Version)$/.test(type) ? id.replace(/[0-9a-f]{32}$/, '') : id;
}
