/** Stubs for the packages that lib/functions/bundle/stubbed-packages.ts lists. */

// Lambda passes credentials in the environment.
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
// Only creating a client needs these two; no DynamoDB command uses them.
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {};
export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;

/** The SDK would read files for a setting that is missing in lambda/shared/dynamodb/client.ts, and ignore the error. */
export async function readFile(path: string): Promise<never> {
  const message = `functions do not read ${path}; set the missing SDK option in lambda/shared/dynamodb/client.ts`;
  process.emitWarning(message);
  throw new Error(message);
}
