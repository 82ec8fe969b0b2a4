/**
 * The stub for `@aws-sdk/credential-provider-node`: Lambda passes credentials in the environment, so profiles,
 * SSO, STS and the metadata services are not needed.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
