import { TokenAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import { validationExpression } from '../../lambda/shared/tokens/bearer-token.ts';
import type { StageConfig } from '../config.ts';
import type { NodeFunction } from '../functions/node-function.ts';

export interface BearerAuthorizerProps {
  readonly handler: NodeFunction;
  /** A regular expression: what can't be a token is refused before any function runs. */
  readonly tokenPattern: string;
  readonly config: StageConfig;
}

/** Asks a function whether to let a bearer token through, and keeps its answer for a while. */
export class BearerAuthorizer extends TokenAuthorizer {
  constructor(scope: Construct, id: string, { handler, tokenPattern, config }: BearerAuthorizerProps) {
    super(scope, id, {
      handler: handler.live,
      validationRegex: validationExpression(tokenPattern),
      resultsCacheTtl: config.authorizerCacheTtl,
    });
  }
}
