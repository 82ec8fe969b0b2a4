import { expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { operations } from '../../lib/operations.ts';
import { createPlan } from '../../tools/emulator/running-stack.ts';
import { parseTemplate } from '../../tools/emulator/template/template.ts';
import type { Json } from '../support/template-resources.ts';
import { everyEdgeOption, everyOptionOfProd } from './option-combinations.ts';
import { stackTemplate } from './stack-template.ts';

// `Template` throws for circular dependencies, but ignores references in an UpdatePolicy, for example to a deployment
// group, which CloudFormation treats as dependencies too.
test.each([
  ['prod', { stage: 'prod' }],
  ['prod with every option', everyOptionOfProd],
  ['prod with a custom domain and access tokens', { ...everyEdgeOption, stage: 'prod' }],
])('the template of %s has no circular dependencies between resources', (_stage, options) => {
  const template = structuredClone(stackTemplate(options).toJSON());
  for (const resource of Object.values<Json>(template.Resources))
    resource.Properties.UpdatePolicy = resource.UpdatePolicy;
  expect(() => Template.fromJSON(template)).not.toThrow();
});

test('the emulator reads the template of prod with every option, and leaves out only the web ACL', () => {
  const template = parseTemplate(stackTemplate(everyOptionOfProd).toJSON(), 'PlantStore');
  const invokeOf = () => async () => Buffer.of();
  const plan = createPlan(template, (asset) => asset, invokeOf);

  for (const { method, path } of operations) expect(plan.api.findEndpoint(method, path)).toBeDefined();
  expect(plan.outputs).toHaveProperty('BaseUrl');
  expect([...template.leftOut.values()]).toEqual(['AWS::WAFv2::WebACL']);
});
