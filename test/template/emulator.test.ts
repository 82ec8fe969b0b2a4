import { expect, test } from '@jest/globals';
import { createRestApi } from '../../tools/emulator/rest-api/rest-api.ts';
import { createResolver } from '../../tools/emulator/template/intrinsics.ts';
import { resolveOutputs } from '../../tools/emulator/template/outputs.ts';
import { assertSupported } from '../../tools/emulator/template/resource-types.ts';
import { parseTemplate } from '../../tools/emulator/template/template.ts';
import { edgeOptions, everyEdgeOption, type Options } from './option-combinations.ts';
import { stackTemplate } from './stack-template.ts';

const LOCAL_URL = 'http://localhost:3000';

test.each<[string, Options]>([
  ...Object.entries(edgeOptions),
  ['all of these', everyEdgeOption],
  ['all of these in prod', { ...everyEdgeOption, stage: 'prod' }],
])('the emulator reads the template with %s, and shows its own address for that of AWS', (_, options) => {
  const template = parseTemplate(stackTemplate(options).toJSON());
  const resources = [...template.resources.values()];
  const pseudo = { region: 'us-east-1', account: '123456789012', stackName: 'PlantStore' };
  const resolver = createResolver(template, pseudo);
  const invokeOf = () => () => Promise.reject(new Error('nothing is invoked'));

  assertSupported(resources);
  const api = createRestApi({ resources, resolver, assetFolder: (asset) => asset, invokeOf });
  expect(api.findEndpoint('POST', '/plants')).toBeDefined();
  expect(resolveOutputs(resolver, api, LOCAL_URL)).toMatchObject({ BaseUrl: LOCAL_URL });
});
