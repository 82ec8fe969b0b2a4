import { CfnOutput, Stack, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { addOperation } from './add-operation.ts';
import { BearerAuthorizer } from './api/bearer-authorizer.ts';
import { ServiceApi } from './api/service-api.ts';
import { Rollout } from './functions/rollout.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { listOperations } from './operations.ts';
import { OUTPUTS, tableOutput } from './outputs.ts';
import { apiFunctions } from './service-parts.ts';
import type { StageConfig } from './stage-config.ts';
import { stackName } from './stage-names.ts';
import { addTable, type TableId, tableSpecs } from './tables.ts';

interface PlantStoreStackProps {
  readonly config: StageConfig;
  readonly commit?: string;
}

/** The whole service, for one stage. */
export class PlantStoreStack extends Stack {
  constructor(scope: Construct, id: string, { config, commit = 'unknown' }: PlantStoreStackProps) {
    const { stage, oidc, deletionProtection } = config;
    super(scope, id, {
      // Commands find the stack by this name, not by its construct id.
      stackName: stackName(stage),
      description: `Plant Store, stage ${stage}`,
      terminationProtection: deletionProtection,
      tags: config.tags,
    });
    // CloudFormation does not add the stack's tags to a global table, which has tags only in its replicas.
    for (const [key, value] of Object.entries(config.tags)) Tags.of(this).add(key, value);

    const tables = tableSpecs.map((spec) => addTable(this, spec, config));
    const tableOf = (id: TableId) => {
      const table = tables.find((each) => each.id === id);
      if (table === undefined) throw new Error(`lib/tables.ts has no table ${id}`);
      return table;
    };
    const operations = listOperations().map((operation) =>
      addOperation(this, operation, tableOf, config),
    );

    const { authorizer, apiFunction: authorizerFunction } = oidc
      ? BearerAuthorizer.forOidc(this, oidc, config)
      : BearerAuthorizer.forAccessTokens(this, tableOf('Tokens'), config);
    const api = new ServiceApi(this, 'Api', { operations, authorizer, config });
    const parts = {
      stage,
      stackName: this.stackName,
      operations,
      authorizerFunction,
      tables,
      accessLog: api.accessLog,
    };
    // Do not change the id: a new id would replace the alarms, topics, dashboard and deployment groups.
    const monitoring = new Monitoring(this, 'Operations', { parts, config });
    if (config.hasAlarms) {
      for (const { id, apiFunction } of apiFunctions(parts)) {
        const alarms = monitoring.rollbackAlarms(id);
        new Rollout(monitoring, id, { apiFunction, alarms, config });
      }
    }

    const addOutput = (name: string, value: string | undefined, description: string) => {
      if (value !== undefined) new CfnOutput(this, name, { value, description });
    };
    addOutput(OUTPUTS.baseUrl, api.baseUrl, 'The base URL of the API');
    addOutput(OUTPUTS.dnsTarget, api.dnsTarget, 'The target of a DNS record for the custom domain');
    for (const { id, tableName, outputDescription, replacedByOidc } of tables) {
      const isUsed = oidc === undefined || !replacedByOidc;
      if (outputDescription !== undefined && isUsed)
        addOutput(tableOutput(id), tableName, outputDescription);
    }
    addOutput(OUTPUTS.dashboardName, monitoring.dashboardName, 'The name of the dashboard');
    addOutput(
      OUTPUTS.pageTopicArn,
      monitoring.topics?.page.topicArn,
      'Notified by alarms that wake somebody up',
    );
    addOutput(
      OUTPUTS.ticketTopicArn,
      monitoring.topics?.ticket.topicArn,
      'Notified by alarms that can wait for working hours',
    );
    addOutput(OUTPUTS.commit, commit, 'The commit from which the stack was last deployed');
  }
}
