import { type App, CfnOutput, Stack } from 'aws-cdk-lib';
import type { OperationEnv } from '../lambda/shared/env.ts';
import { PlantsApi } from './api/plants-api.ts';
import { BearerAuthorizer } from './authorizers/bearer-authorizer.ts';
import type { StageConfig } from './config.ts';
import { ApiFunction, dynamodbEndpoint } from './functions/node-function.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { BASE_URL_OUTPUT, stackDescription, stackName, TOKENS_TABLE_OUTPUT } from './names.ts';
import { operations } from './operations.ts';
import { createPlantsTable, createTokensTable } from './tables.ts';

/** The whole service, for one stage. */
export class PlantStoreStack extends Stack {
  constructor(app: App, config: StageConfig) {
    const { stage, oidc, deletionProtection } = config;
    super(app, stackName(stage), {
      description: stackDescription(stage),
      terminationProtection: deletionProtection,
    });

    const plants = createPlantsTable(this, 'Plants', config);
    // Also with OpenID Connect: switching to a provider and back must not delete the tokens.
    const tokens = createTokensTable(this, 'Tokens', config);

    const environment = { PLANTS_TABLE: plants.tableName, ...dynamodbEndpoint(this) } satisfies OperationEnv;
    const deployed = operations.map((operation) => {
      const { id, functionName: name, method, path, actions } = operation;
      const description = `${method} ${path}: ${operation.description}`;
      const apiFunction = new ApiFunction(this, id, { name, description, environment, config });
      plants.grant(apiFunction.function, ...actions);
      return { ...operation, function: apiFunction };
    });

    const { authorizer, function: authorize } = oidc
      ? BearerAuthorizer.forOidc(this, oidc, config)
      : BearerAuthorizer.forAccessTokens(this, tokens, config);
    const api = new PlantsApi(this, 'Api', { operations: deployed, authorizer, config });
    // The id stays: another would replace the alarms, their topic and the dashboard.
    new Monitoring(this, 'Operations', {
      parts: { stage, operations: deployed, authorize, api, plants, tokens },
      config,
    });

    new CfnOutput(this, BASE_URL_OUTPUT, {
      value: api.baseUrl,
      description: 'POST {BaseUrl}/plants creates a plant',
    });
    if (api.dnsTarget !== undefined) {
      new CfnOutput(this, 'DnsTarget', {
        value: api.dnsTarget,
        description: 'What the DNS record of the custom domain points to',
      });
    }
    if (oidc === undefined) {
      new CfnOutput(this, TOKENS_TABLE_OUTPUT, {
        value: tokens.tableName,
        description: 'The table in which `npm run token` stores access tokens',
      });
    }
  }
}
