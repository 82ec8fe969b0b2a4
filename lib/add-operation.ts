import type { Construct } from 'constructs';
import { ApiFunction, dynamodbEnv } from './functions/node-function.ts';
import type { Operation } from './operations.ts';
import type { StageConfig } from './stage-config.ts';
import type { StackTable, TableId } from './tables.ts';

export type StackOperation = Operation & { readonly apiFunction: ApiFunction };

/** Adds an operation's function, with the environment and the rights that its entry in lib/operations.ts lists. */
export function addOperation(
  scope: Construct,
  operation: Operation,
  tableOf: (id: TableId) => StackTable,
  config: StageConfig,
): StackOperation {
  const { id, functionName, method, path } = operation;
  const used = operation.tables.map(({ table, actions }) => ({ ...tableOf(table), actions }));
  const environment = {
    ...Object.fromEntries(used.map(({ variable, tableName }) => [variable, tableName])),
    ...operation.environment,
    ...dynamodbEnv(scope),
  };
  const apiFunction = new ApiFunction(scope, id, {
    functionName,
    description: `${method} ${path}: ${operation.description}`,
    environment,
    config,
  });
  for (const { grant, actions } of used) grant(apiFunction.lambda, actions);
  return { ...operation, apiFunction };
}
