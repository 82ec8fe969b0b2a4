/**
 * Stubs: replacements for packages of which a function needs little or nothing (docs/decisions.md#cold-starts).
 *
 * `@aws-sdk/credential-provider-node`: Lambda passes credentials in the environment, so profiles, SSO, STS and the
 * metadata services are not needed.
 * `@aws-sdk/middleware-endpoint-discovery`: only creating a client needs this package; no DynamoDB command uses it.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {};
export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;

/**
 * `node:fs/promises`: only the SDK would use it, to read settings from `~/.aws`, which does not exist in Lambda. If the
 * SDK tries this, a setting is missing in lambda/shared/dynamodb/client.ts, and the warning says so.
 */
export async function readFile(path: string): Promise<never> {
  process.emitWarning(
    `functions do not read ${path}; set the missing SDK option in lambda/shared/dynamodb/client.ts`,
  );
  throw new Error(`functions do not read files: ${path}`);
}
