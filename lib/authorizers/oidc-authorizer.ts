import { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import { NodeFunction } from '../functions/node-function.ts';
import type { OidcProvider } from '../options.ts';
import { BearerAuthorizer } from './bearer-authorizer.ts';

export interface OidcAuthorizerProps {
  readonly provider: OidcProvider;
  readonly config: StageConfig;
}

/** A signed JWT in compact form: three parts in base64url (RFC 7515 §7.1). */
const JWT_PATTERN = '[A-Za-z0-9_-]+[.][A-Za-z0-9_-]+[.][A-Za-z0-9_-]+';

/** Lets requests with a token of an OpenID Connect provider through. It may use nothing of AWS. */
export class OidcAuthorizer extends Construct {
  readonly authorizer: BearerAuthorizer;
  readonly handler: NodeFunction;

  constructor(scope: Construct, id: string, { provider, config }: OidcAuthorizerProps) {
    super(scope, id);

    this.handler = new NodeFunction(this, 'Function', {
      name: 'authorize-oidc',
      description: 'Checks the OpenID Connect token of a request',
      environment: {
        OIDC_ISSUER: provider.issuer,
        OIDC_AUDIENCE: provider.audience,
        ...(provider.scope === undefined ? {} : { OIDC_SCOPE: provider.scope }),
      },
      config,
    });

    this.authorizer = new BearerAuthorizer(this, 'Authorizer', {
      handler: this.handler,
      tokenPattern: JWT_PATTERN,
      config,
    });
  }
}
