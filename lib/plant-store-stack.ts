import { type App, CfnOutput, Stack } from 'aws-cdk-lib';
import { PlantsApi } from './api/plants-api.ts';
import { AccessTokenAuthorizer } from './authorizers/access-token-authorizer.ts';
import { OidcAuthorizer } from './authorizers/oidc-authorizer.ts';
import type { StageConfig } from './config.ts';
import { CreatePlantFunction } from './functions/create-plant-function.ts';
import { Operations } from './monitoring/operations.ts';
import { stackName, TOKENS_TABLE_OUTPUT } from './names.ts';
import { PlantsTable } from './tables/plants-table.ts';
import { TokensTable } from './tables/tokens-table.ts';

/** The whole service, for one stage. */
export class PlantStoreStack extends Stack {
  constructor(app: App, config: StageConfig) {
    super(app, stackName(config.stage), {
      description: `Plant Store, stage ${config.stage}`,
      terminationProtection: config.deletionProtection,
    });

    const plants = new PlantsTable(this, 'Plants', config);
    // Here in both modes: turning to OpenID Connect and back must not lose the tokens.
    const tokens = new TokensTable(this, 'Tokens', config);
    const createPlant = new CreatePlantFunction(this, 'CreatePlant', { plants, config });
    const authorize = config.oidc
      ? new OidcAuthorizer(this, 'AuthorizeOidc', { provider: config.oidc, config })
      : new AccessTokenAuthorizer(this, 'Authorize', { tokens, config });
    const api = new PlantsApi(this, 'Api', {
      createPlant: createPlant.live,
      authorizer: authorize.authorizer,
      config,
    });
    new Operations(this, 'Operations', {
      parts: { stage: config.stage, createPlant, authorize: authorize.handler, api, plants, tokens },
      config,
    });

    new CfnOutput(this, 'BaseUrl', {
      value: api.baseUrl,
      description: 'POST {BaseUrl}/plants creates a plant',
    });
    if (config.oidc === undefined) {
      new CfnOutput(this, TOKENS_TABLE_OUTPUT, {
        value: tokens.tableName,
        description: 'Where `npm run token` keeps the access tokens',
      });
    }
  }
}
