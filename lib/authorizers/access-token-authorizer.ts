import { Construct } from 'constructs';
import { ACCESS_TOKEN_PATTERN } from '../../lambda/shared/tokens/access-token.ts';
import type { StageConfig } from '../config.ts';
import { dynamodbEndpoint } from '../functions/dynamodb-endpoint.ts';
import { NodeFunction } from '../functions/node-function.ts';
import type { TokensTable } from '../tables/tokens-table.ts';
import { BearerAuthorizer } from './bearer-authorizer.ts';

export interface AccessTokenAuthorizerProps {
  readonly tokens: TokensTable;
  readonly config: StageConfig;
}

/** Lets requests with a live access token through: it may get an item of the tokens table. */
export class AccessTokenAuthorizer extends Construct {
  readonly authorizer: BearerAuthorizer;
  readonly handler: NodeFunction;

  constructor(scope: Construct, id: string, { tokens, config }: AccessTokenAuthorizerProps) {
    super(scope, id);

    this.handler = new NodeFunction(this, 'Function', {
      name: 'authorize',
      description: 'Checks the access token of a request',
      environment: { TOKENS_TABLE: tokens.tableName, ...dynamodbEndpoint(scope) },
      config,
    });
    tokens.grant(this.handler, 'dynamodb:GetItem');

    this.authorizer = new BearerAuthorizer(this, 'Authorizer', {
      handler: this.handler,
      tokenPattern: ACCESS_TOKEN_PATTERN,
      config,
    });
  }
}
