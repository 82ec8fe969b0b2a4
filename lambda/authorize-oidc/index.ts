import { requiredEnv } from '../required-env.ts';
import { createHandler } from './handler.ts';
import { tokenVerifier } from './verify-token.ts';

export const handler = createHandler({
  verify: tokenVerifier(requiredEnv('OIDC_ISSUER'), requiredEnv('OIDC_AUDIENCE')),
  scope: process.env.OIDC_SCOPE,
});
