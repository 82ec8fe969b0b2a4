import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { PlantsApi } from './api/plants-api.ts';
import { BearerAuthorizer } from './authorizers/bearer-authorizer.ts';
import type { StageConfig } from './config.ts';
import { ApiFunction, dynamodbEndpoint } from './functions/node-function.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { BASE_URL_OUTPUT, stackName, TOKENS_TABLE_OUTPUT } from './names.ts';
import { operations } from './operations.ts';
import { type DeployedTable, type Table, type TableName, tables } from './tables.ts';

interface PlantStoreStackProps extends StackProps {
  readonly config: StageConfig;
}

/** The whole service, for one stage. */
export class PlantStoreStack extends Stack {
  constructor(scope: Construct, id: string, props: PlantStoreStackProps) {
    const { config, ...stackProps } = props;
    const { stage, oidc, deletionProtection } = config;
    super(scope, id, {
      // Commands find the stack by this name, not by its construct id.
      stackName: stackName(stage),
      description: `Plant Store, stage ${stage}`,
      terminationProtection: deletionProtection,
      tags: config.tags,
      ...stackProps,
    });

    // Includes the tokens table even with OpenID Connect, so that switching to a provider and back does not delete it.
    const deployedTables = tables.map((table) => deployTable(this, table, config));
    const tableNamed = (name: TableName) => {
      const table = deployedTables.find((each) => each.name === name);
      if (table === undefined) throw new Error(`lib/tables.ts has no table ${name}`);
      return table;
    };
    const deployedOperations = operations.map((operation) => {
      const { id, functionName: name, method, path } = operation;
      const description = `${method} ${path}: ${operation.description}`;
      const used = operation.tables.map(({ table, actions }) => ({ ...tableNamed(table), actions }));
      const environment = {
        ...Object.fromEntries(used.map(({ variable, table }) => [variable, table.tableName])),
        ...dynamodbEndpoint(this),
      };
      const apiFunction = new ApiFunction(this, id, { name, description, environment, config });
      for (const { table, actions } of used) table.grant(apiFunction.function, ...actions);
      return { ...operation, function: apiFunction };
    });

    const tokens = tableNamed('tokens');
    const { authorizer, function: authorize } = oidc
      ? BearerAuthorizer.forOidc(this, oidc, config)
      : BearerAuthorizer.forAccessTokens(this, tokens, config);
    const api = new PlantsApi(this, 'Api', { operations: deployedOperations, authorizer, config });
    // Do not change the id: a new id would replace the alarms, their topic and the dashboard.
    new Monitoring(this, 'Operations', {
      parts: {
        stage,
        stackName: this.stackName,
        operations: deployedOperations,
        authorize,
        api,
      },
      config,
    });

    new CfnOutput(this, BASE_URL_OUTPUT, {
      value: api.baseUrl,
      description: 'The base URL of the API: POST {BaseUrl}/plants creates a plant',
    });
    if (api.dnsTarget !== undefined) {
      new CfnOutput(this, 'DnsTarget', {
        value: api.dnsTarget,
        description: 'The target of a DNS record for the custom domain',
      });
    }
    if (oidc === undefined) {
      new CfnOutput(this, TOKENS_TABLE_OUTPUT, {
        value: tokens.table.tableName,
        description: 'The table in which `npm run token` stores access tokens',
      });
    }
  }
}

function deployTable(scope: Construct, spec: Table, config: StageConfig): DeployedTable {
  const { name, id, variable, authorizerActions, ...key } = spec;
  const table = new TableV2(scope, id, {
    ...key,
    encryption: TableEncryptionV2.awsManagedKey(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    removalPolicy: config.tableRemovalPolicy,
    deletionProtection: config.deletionProtection,
  });
  return { ...spec, table };
}
