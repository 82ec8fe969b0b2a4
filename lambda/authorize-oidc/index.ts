import { observeAuthorizer } from '../shared/log/observe-authorizer.ts';
import { requestLog } from '../shared/log/request-log.ts';
import { requiredEnv } from '../shared/env.ts';
import { createHandler } from './handler.ts';
import { tokenVerifier } from './verify-token.ts';

export const handler = observeAuthorizer(
  createHandler({
    verify: tokenVerifier(requiredEnv('OIDC_ISSUER'), requiredEnv('OIDC_AUDIENCE')),
    scope: process.env.OIDC_SCOPE,
  }),
  // One service to those who watch it, whichever kind of token it checks.
  requestLog('authorize', requiredEnv('STAGE')),
);
