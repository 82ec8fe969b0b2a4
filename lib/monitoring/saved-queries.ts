import { CfnQueryDefinition, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { stackName } from '../names.ts';
import type { ServiceParts } from './metrics.ts';

type LogName = 'access' | 'operations' | 'authorize';

const FUNCTIONS: readonly LogName[] = ['operations', 'authorize'];

/**
 * The queries that docs/operations.md and the alarms refer to by name, in the query language of CloudWatch Logs
 * Insights. Before running a query, replace `ID` in it. A test compares docs/operations.md with the template.
 */
const savedQueries = {
  'Find a request': {
    logs: ['access', ...FUNCTIONS],
    query:
      'filter requestId = "ID" or authorizerRequestId = "ID" or integrationRequestId = "ID" or traceId like "ID" | sort @timestamp',
  },
  'Requests with a token': {
    logs: ['access'],
    query: 'filter principal = "ID" | stats count() as total by sourceIp, status, bin(1h) | sort total desc',
  },
  'Requests by client': {
    logs: ['access'],
    query: 'stats count() as total by client, principal, sourceIp | sort total desc',
  },
  // `ispresent` excludes the line that Lambda adds for each rejected token because the authorizer throws an error.
  Faults: {
    logs: FUNCTIONS,
    query:
      'filter level = "ERROR" and ispresent(error) | stats count() as total by error, name, message | sort total desc',
  },
  'Faults in token checks': {
    logs: ['authorize'],
    query:
      'filter level = "ERROR" and error = 2500 | stats count() as total by name, message | sort total desc',
  },
  'Failed invocations': {
    logs: ['operations'],
    query:
      'filter type = "platform.report" or type = "platform.initReport" | filter record.status != "success"',
  },
  'Server errors': {
    logs: ['access'],
    query:
      'filter status >= 500 | stats count() as total by status, gatewayErrorType, integrationError, authorizerError | sort total desc',
  },
  'Rejected plants': {
    logs: ['operations'],
    query: 'filter outcome = "rejected" | stats count() as total by error, client | sort total desc',
  },
  'Rejected tokens': {
    logs: ['authorize'],
    query: 'filter outcome = "rejected" | stats count() as total by error | sort total desc',
  },
  'Rejected tokens by source': {
    logs: ['access'],
    query: 'filter status in [401, 403] | stats count() as total by sourceIp, status | sort total desc',
  },
  'Throttled requests': {
    logs: ['access'],
    query: 'filter status = 429 | stats count() as total by client, sourceIp, bin(1m) | sort total desc',
  },
  'Latency by layer': {
    logs: ['access'],
    query: 'stats pct(latencyMs, 99), pct(integrationLatencyMs, 99), pct(authorizerLatencyMs, 99) by bin(5m)',
  },
  'Cold starts': {
    logs: FUNCTIONS,
    query: 'filter coldStart = "true"',
  },
} as const satisfies Record<string, { logs: readonly LogName[]; query: string }>;

/** Returns an alarm's first step: to run a saved query. `STAGE` is replaced by the name of the stage. */
export function runQuery(name: keyof typeof savedQueries): string {
  return `run the saved query "${stackName('STAGE')}/${name}" in CloudWatch Logs Insights.`;
}

/** The runbook's queries, saved with their log groups, so that nobody has to type a query during an incident. */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, props: ServiceParts) {
    super(scope, id);
    const { api, operations, authorize } = props;
    const logGroups: Readonly<Record<LogName, readonly ILogGroup[]>> = {
      access: [api.accessLog.logGroup],
      operations: operations.map(({ function: { logGroup } }) => logGroup),
      authorize: [authorize.logGroup],
    };
    for (const [name, { logs, query }] of Object.entries(savedQueries)) {
      new CfnQueryDefinition(this, name.replaceAll(' ', ''), {
        // The console shows the part before the slash as a folder.
        name: `${props.stackName}/${name}`,
        queryString: query,
        logGroupNames: logs.flatMap((log) => logGroups[log].map(({ logGroupName }) => logGroupName)),
      });
    }
  }
}
