import { expect, test } from '@jest/globals';
import { createPlan } from '../../tools/emulator/plan.ts';
import { parseTemplate } from '../../tools/emulator/template/template.ts';
import { type Json, stackResources } from '../support/template-resources.ts';
import { everyEdgeOption, everyOptionOfProd } from './option-combinations.ts';
import { stackTemplate } from './stack-template.ts';

/**
 * CloudFormation also treats a reference in an UpdatePolicy, for example to a deployment group, as a dependency.
 * Nothing else in this project checks such references for cycles.
 */
test.each([
  ['prod', { stage: 'prod' }],
  ['prod with every option', everyOptionOfProd],
  ['prod with a custom domain and access tokens', { ...everyEdgeOption, stage: 'prod' }],
])('the template of %s has no circular dependencies between resources', (_stage, options) => {
  const resources = stackResources(options);
  const ids = new Set(resources.map(({ logicalId }) => logicalId));
  const dependencies = new Map(
    resources.map(({ logicalId, Properties, DependsOn, UpdatePolicy }) => [
      logicalId,
      [DependsOn, referencesIn([Properties, UpdatePolicy])].flat(2).filter((name) => ids.has(name)),
    ]),
  );

  const done = new Set<string>();
  const visit = (id: string, path: readonly string[]): void => {
    if (path.includes(id)) throw new Error(`${[...path.slice(path.indexOf(id)), id].join(' → ')}`);
    if (done.has(id)) return;
    for (const next of dependencies.get(id) ?? []) visit(next, [...path, id]);
    done.add(id);
  };
  for (const id of ids) visit(id, []);
});

test('the emulator reads the template of prod with every option', () => {
  const template = parseTemplate(stackTemplate(everyOptionOfProd).toJSON());
  const plan = createPlan({ template, stackName: 'PlantStore' }, (asset) => asset);

  expect(plan.api.findEndpoint('POST', '/plants')).toBeDefined();
  expect(plan.outputs).toHaveProperty('BaseUrl');
});

/** The logical ids that a value refers to. */
function referencesIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (typeof value.Ref === 'string') return [value.Ref];
  if (value['Fn::GetAtt']) return [value['Fn::GetAtt'][0]];
  const inSub = [...`${value['Fn::Sub'] ?? ''}`.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
  return [...inSub, ...Object.values(value).flatMap(referencesIn)];
}
