import { expect, jest, test } from '@jest/globals';
import {
  NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS,
  resolveEndpointDiscoveryConfig,
} from '../../../lambda/stubs/endpoint-discovery.ts';
import { readFile } from '../../../lambda/stubs/fs-promises.ts';

test('no file is read in a function, and a setting that is looked for in one is named', async () => {
  const warn = jest.spyOn(process, 'emitWarning').mockReturnValue(undefined);
  await expect(readFile('/home/.aws/config')).rejects.toThrow('/home/.aws/config was asked for');
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('/home/.aws/config'));
  warn.mockRestore();
});

test('endpoint discovery is off, and leaves the configuration as it is', () => {
  const { environmentVariableSelector, configFileSelector } = NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS;
  expect([environmentVariableSelector(), configFileSelector()]).toEqual([undefined, undefined]);
  const config = {};
  expect(resolveEndpointDiscoveryConfig(config)).toBe(config);
});
