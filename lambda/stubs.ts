/**
 * What a bundle has in place of packages that a function needs only in part (decision 0030).
 *
 * For `@aws-sdk/credential-provider-node`: Lambda passes credentials in the environment, so profiles, SSO, STS and
 * the metadata services are not needed. For `@smithy/core/event-streams`, which none of our operations has: nothing.
 * For `@aws-sdk/middleware-endpoint-discovery`: what the client needs to be created. No command of DynamoDB uses more.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {};
export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;

/**
 * For `node:fs/promises`: only the SDK would use it, to read settings from `~/.aws`, which a function does not
 * have. Warns of a setting that is missing in lambda/shared/dynamodb.ts.
 */
export async function readFile(path: string): Promise<never> {
  process.emitWarning(`${path} is ignored; set the option in lambda/shared/dynamodb.ts`);
  throw new Error(`a function reads no files: ${path}`);
}
