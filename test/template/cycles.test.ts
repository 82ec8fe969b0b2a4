import { expect, test } from '@jest/globals';
import { type Json, stackResources } from '../support/template-resources.ts';

/**
 * CloudFormation also counts what a resource's UpdatePolicy refers to, such as a deployment group with its
 * alarms; no tool at hand does.
 */
test.each([
  ['dev', {}],
  ['prod', { stage: 'prod' }],
  ['prod with OpenID Connect', { stage: 'prod', oidcIssuer: 'https://id.example', oidcAudience: 'plants' }],
])('in %s no resource waits for itself', (_stage, options) => {
  const resources = stackResources(options);
  const ids = new Set(resources.map(({ logicalId }) => logicalId));
  const waitsFor = new Map(
    resources.map(({ logicalId, Properties, DependsOn, UpdatePolicy }) => [
      logicalId,
      [DependsOn, referencesIn([Properties, UpdatePolicy])].flat(2).filter((name) => ids.has(name)),
    ]),
  );

  const done = new Set<string>();
  const visit = (id: string, path: readonly string[]): void => {
    if (path.includes(id)) throw new Error(`${[...path.slice(path.indexOf(id)), id].join(' → ')}`);
    if (done.has(id)) return;
    for (const next of waitsFor.get(id) ?? []) visit(next, [...path, id]);
    done.add(id);
  };
  expect(() => {
    for (const id of ids) visit(id, []);
  }).not.toThrow();
});

/** The logical ids that a value refers to. */
function referencesIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (typeof value.Ref === 'string') return [value.Ref];
  if (value['Fn::GetAtt']) return [value['Fn::GetAtt'][0]];
  const inText = [...`${value['Fn::Sub'] ?? ''}`.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
  return [...inText, ...Object.values(value).flatMap(referencesIn)];
}
