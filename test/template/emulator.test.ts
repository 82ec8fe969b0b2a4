import { expect, test } from '@jest/globals';
import { createPlan } from '../../tools/emulator/plan.ts';
import { parseTemplate } from '../../tools/emulator/template/template.ts';
import { edgeOptions, everyEdgeOption, type Options } from './option-combinations.ts';
import { stackTemplate } from './stack-template.ts';

test.each<[string, Options]>([
  ...Object.entries(edgeOptions),
  ['all of these', everyEdgeOption],
  ['all of these in prod', { ...everyEdgeOption, stage: 'prod' }],
])('the emulator reads the template with %s', (_, options) => {
  const template = parseTemplate(stackTemplate(options).toJSON());
  const plan = createPlan({ template, stackName: 'PlantStore' }, (asset) => asset);

  expect(plan.api.findEndpoint('POST', '/plants')).toBeDefined();
  expect(plan.outputs).toHaveProperty('BaseUrl');
});
