import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { AUTHORIZER } from '../lambda/shared/log/request-log.ts';
import type { StackOperation } from './add-operation.ts';
import type { ApiFunction } from './functions/node-function.ts';
import type { StackTable } from './tables.ts';

/** The parts of the service that its monitoring and rollouts use. */
export interface ServiceParts {
  readonly stage: string;
  readonly stackName: string;
  readonly operations: readonly StackOperation[];
  readonly authorizerFunction: ApiFunction;
  readonly tables: readonly StackTable[];
  readonly accessLog: ILogGroup;
}

/** The functions behind the API: one for each operation, and the authorizer. */
export function apiFunctions({ operations, authorizerFunction }: ServiceParts) {
  return [
    ...operations.map(({ id, operationId: label, functionName: service, apiFunction }) => {
      return { id, label, service, apiFunction };
    }),
    { id: 'Authorize', label: 'authorizer', service: AUTHORIZER, apiFunction: authorizerFunction },
  ];
}
