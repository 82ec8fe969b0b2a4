/**
 * Bundled in the place of `@aws-sdk/credential-provider-node`: Lambda hands a function its credentials in
 * the environment, so the profiles, SSO, STS and metadata services of a laptop are not looked for.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
