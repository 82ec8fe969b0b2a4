import { CfnQueryDefinition, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { stackName } from '../names.ts';
import type { ServiceParts } from './metrics.ts';

type LogName = 'access' | 'createPlant' | 'authorize';

interface SavedQuery {
  readonly name: string;
  readonly logs: readonly LogName[];
  /** In the language of CloudWatch Logs Insights. `ID` is to be replaced. */
  readonly query: string;
}

const FUNCTIONS: readonly LogName[] = ['createPlant', 'authorize'];

/** What docs/operations.md asks the logs; a test compares the page with the template. */
const savedQueries: readonly SavedQuery[] = [
  {
    name: 'Find a request',
    logs: ['access', ...FUNCTIONS],
    query:
      'filter requestId = "ID" or authorizerRequestId = "ID" or integrationRequestId = "ID" or traceId like "ID" | sort @timestamp',
  },
  {
    name: 'Requests of a token',
    logs: ['access'],
    query: 'filter principal = "ID" | stats count() by sourceIp, status, bin(1h)',
  },
  {
    name: 'Requests by client',
    logs: ['access'],
    query: 'stats count() by client, principal, sourceIp',
  },
  {
    name: 'Faults',
    logs: FUNCTIONS,
    query: 'filter level = "ERROR" | stats count() by error, name, message',
  },
  {
    name: 'Faults of token checks',
    logs: ['authorize'],
    query: 'filter level = "ERROR" and error = 2500 | stats count() by name, message',
  },
  {
    name: 'Failed invocations',
    logs: ['createPlant'],
    query:
      'filter type = "platform.report" or type = "platform.initReport" | filter record.status != "success"',
  },
  {
    name: 'Server errors',
    logs: ['access'],
    query:
      'filter status >= 500 | stats count() by status, gatewayErrorType, integrationError, authorizerError',
  },
  {
    name: 'Rejected plants',
    logs: ['createPlant'],
    query: 'filter outcome = "rejected" | stats count() by error, client',
  },
  {
    name: 'Rejected tokens',
    logs: ['authorize'],
    query: 'filter outcome = "rejected" | stats count() by error',
  },
  {
    name: 'Rejected tokens by source',
    logs: ['access'],
    query: 'filter status in [401, 403] | stats count() by sourceIp, status',
  },
  {
    name: 'Throttled requests',
    logs: ['access'],
    query: 'filter status = 429 | stats count() by sourceIp, bin(1m)',
  },
  {
    name: 'Latency by layer',
    logs: ['access'],
    query: 'stats pct(latencyMs, 99), pct(integrationLatencyMs, 99), pct(authorizerLatencyMs, 99) by bin(5m)',
  },
  {
    name: 'Cold starts',
    logs: FUNCTIONS,
    query: 'filter coldStart = "true"',
  },
];

/** The runbook's queries, each saved with its log groups, so that nobody types one in an incident. */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, { stage, api, createPlant, authorize }: ServiceParts) {
    super(scope, id);
    const logGroups: Readonly<Record<LogName, ILogGroup>> = {
      access: api.accessLog.logGroup,
      createPlant: createPlant.logGroup,
      authorize: authorize.logGroup,
    };
    for (const { name, logs, query } of savedQueries) {
      new CfnQueryDefinition(this, name.replaceAll(' ', ''), {
        // The console shows the part before the slash as a folder.
        name: `${stackName(stage)}/${name}`,
        queryString: query,
        logGroupNames: logs.map((log) => logGroups[log].logGroupName),
      });
    }
  }
}
