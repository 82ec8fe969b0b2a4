import { expect, jest, test } from '@jest/globals';
import {
  defaultProvider,
  NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS,
  readFile,
  resolveEndpointDiscoveryConfig,
} from '../../../lambda/stubs.ts';

test('the stub for @aws-sdk/credential-provider-node reads credentials from the environment', async () => {
  const variables = {
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: 'token',
  };
  Object.assign(process.env, variables);
  await expect(defaultProvider()()).resolves.toMatchObject({
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    sessionToken: 'token',
  });
});

test('the stub for node:fs/promises rejects every read, and emits a warning that contains the path', async () => {
  const warn = jest.spyOn(process, 'emitWarning').mockReturnValue(undefined);
  await expect(readFile('/home/.aws/config')).rejects.toThrow('/home/.aws/config');
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('/home/.aws/config'));
  warn.mockRestore();
});

test('the stub for @aws-sdk/middleware-endpoint-discovery does not change the settings of a client', () => {
  const settings = { region: 'eu-west-1' };
  expect(resolveEndpointDiscoveryConfig(settings)).toBe(settings);
  expect(NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS).toEqual({});
});
