import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { AUTHORIZER } from '../../lambda/shared/log/request-log.ts';
import { apiFunctions, type ServiceParts } from '../service-parts.ts';

type LogName = 'access' | 'functions';

/** The queries that the alarms and docs/ name, in the query language of CloudWatch Logs Insights. */
const savedQueries: Readonly<Record<string, readonly [readonly LogName[], string]>> = {
  'Find a request': [
    ['access', 'functions'],
    'filter requestId = "ID" or authorizerRequestId = "ID" or integrationRequestId = "ID" or record.requestId = "ID" or traceId like "ID" | sort @timestamp',
  ],
  'Requests by client': [
    ['access'],
    'stats count() as total by client, principal, sourceIp, gatewayErrorType | sort total desc',
  ],
  'Failed requests': [
    ['access'],
    'filter status >= 400 | stats count() as total by status, gatewayErrorType, integrationError, authorizerError, client, sourceIp | sort total desc',
  ],
  'Rejected requests': [
    ['functions'],
    `filter outcome = "rejected" and service != "${AUTHORIZER}" | stats count() as total by service, error, client | sort total desc`,
  ],
  // For each rejected token, the authorizer throws an error. Lambda then adds a line without `error`, and reports the
  // status "error": the next two queries leave out both.
  Faults: [
    ['functions'],
    'filter level = "ERROR" and ispresent(error) | stats count() as total, min(@timestamp) as first, latest(stack) as stack by service, error, name, message | sort total desc',
  ],
  'Failed invocations': [
    ['functions'],
    'filter type = "platform.report" or type = "platform.initReport" | filter record.status != "success" and (record.status != "error" or @log not like /-Authorize(Oidc)?FunctionLog/)',
  ],
};

/** The queries, saved with their log groups, so that nobody has to type one during an incident. */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, parts: ServiceParts) {
    super(scope, id);
    const logGroups = {
      access: [parts.accessLog],
      functions: apiFunctions(parts).map(({ apiFunction }) => apiFunction.logGroup),
    };
    for (const [name, [logs, queryString]] of Object.entries(savedQueries)) {
      new CfnQueryDefinition(this, name.replaceAll(' ', ''), {
        // The console shows the part before the slash as a folder.
        name: `${parts.stackName}/${name}`,
        queryString,
        logGroupNames: logs.flatMap((log) =>
          logGroups[log].map(({ logGroupName }) => logGroupName),
        ),
      });
    }
  }
}
