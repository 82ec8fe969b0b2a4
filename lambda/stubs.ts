/**
 * Replacements for packages of which a function needs little or nothing (decision 0030).
 *
 * `@aws-sdk/credential-provider-node`: Lambda passes credentials in the environment, so profiles, SSO, STS and the
 * metadata services are not needed.
 * `@aws-sdk/middleware-endpoint-discovery`: only what creating a client needs; no DynamoDB command needs more.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {};
export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;

/**
 * `node:fs/promises`: only the SDK would use it, to read settings from `~/.aws`, which a function does not have.
 * The warning reports a setting that lambda/shared/dynamodb.ts lacks.
 */
export async function readFile(path: string): Promise<never> {
  process.emitWarning(
    `${path} is not read; set the SDK option that it contains in lambda/shared/dynamodb.ts`,
  );
  throw new Error(`a function reads no files: ${path}`);
}
