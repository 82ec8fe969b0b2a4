import { type AuthorizeOidcEnv, type FunctionEnv, requiredEnv } from '../shared/env.ts';
import { observeAuthorizer } from '../shared/log/observe.ts';
import { authorizerLog } from '../shared/log/request-log.ts';
import { authorizeOidcHandler } from './handler.ts';
import { tokenVerifier } from './verify-token.ts';

export const handler = observeAuthorizer(
  authorizeOidcHandler({
    verify: tokenVerifier(
      requiredEnv<AuthorizeOidcEnv>('OIDC_ISSUER'),
      requiredEnv<AuthorizeOidcEnv>('OIDC_AUDIENCE'),
    ),
    scope: process.env.OIDC_SCOPE,
  }),
  authorizerLog(requiredEnv<FunctionEnv>('STAGE')),
);
