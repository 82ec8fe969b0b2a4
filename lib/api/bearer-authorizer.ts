import { Duration } from 'aws-cdk-lib';
import { type IAuthorizer, TokenAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import type { AuthorizeEnv, AuthorizeOidcEnv } from '../../lambda/shared/env.ts';
import { ACCESS_TOKEN_PATTERN } from '../../lambda/shared/tokens/access-token.ts';
import { validationExpression } from '../../lambda/shared/tokens/token-authorizer.ts';
import { ApiFunction, dynamodbEnv, type NodeFunctionProps } from '../functions/node-function.ts';
import type { OidcProvider, StageConfig } from '../stage-config.ts';
import type { StackTable } from '../tables.ts';

/** A signed JWT in compact form: three parts in base64url (RFC 7515 §7.1). */
const JWT_PATTERN = '[A-Za-z0-9_-]+[.][A-Za-z0-9_-]+[.][A-Za-z0-9_-]+';

interface BearerAuthorizerProps extends NodeFunctionProps {
  /** A regular expression. API Gateway rejects a token that does not match, without invoking the function. */
  readonly tokenPattern: string;
}

/**
 * A TOKEN authorizer and its function, which checks the bearer token. API Gateway caches the function's result, so a
 * revoked or expired token may still work for `authorizerCacheSeconds`.
 */
export class BearerAuthorizer extends Construct {
  readonly apiFunction: ApiFunction;
  readonly authorizer: IAuthorizer;

  private constructor(scope: Construct, id: string, props: BearerAuthorizerProps) {
    super(scope, id);
    this.apiFunction = new ApiFunction(this, 'Function', props);
    this.authorizer = new TokenAuthorizer(this, 'Authorizer', {
      handler: this.apiFunction.alias,
      validationRegex: validationExpression(props.tokenPattern),
      resultsCacheTtl: Duration.seconds(props.config.authorizerCacheSeconds),
    });
  }

  /** Creates an authorizer for the service's own access tokens. Its function's role can only read the tokens. */
  static forAccessTokens(
    scope: Construct,
    { tableName, grant }: StackTable,
    config: StageConfig,
  ): BearerAuthorizer {
    const authorizer = new BearerAuthorizer(scope, 'Authorize', {
      functionName: 'authorize',
      description: 'Checks the access token of a request',
      environment: { TOKENS_TABLE: tableName, ...dynamodbEnv(scope) } satisfies AuthorizeEnv,
      tokenPattern: ACCESS_TOKEN_PATTERN,
      config,
    });
    grant(authorizer.apiFunction.lambda, ['dynamodb:GetItem']);
    return authorizer;
  }

  /** Creates an authorizer for tokens from an OpenID Connect provider. Its function's role cannot access any table. */
  static forOidc(scope: Construct, provider: OidcProvider, config: StageConfig): BearerAuthorizer {
    return new BearerAuthorizer(scope, 'AuthorizeOidc', {
      functionName: 'authorize-oidc',
      description: 'Checks the OpenID Connect token of a request',
      environment: {
        OIDC_ISSUER: provider.issuer,
        OIDC_AUDIENCE: provider.audience,
        ...(provider.scope === undefined ? {} : { OIDC_SCOPE: provider.scope }),
      } satisfies AuthorizeOidcEnv,
      tokenPattern: JWT_PATTERN,
      config,
    });
  }
}
