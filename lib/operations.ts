import { METRICS as createPlantMetrics } from '../lambda/create-plant/metrics.ts';
import { operations as contract } from '../lambda/generated/operations.ts';
import { type ErrorSpec, operationErrors } from '../lambda/shared/errors.ts';
import { SetupError } from './setup-error.ts';
import type { TableName } from './tables.ts';

const { unsupportedMediaType, notJson, invalidBody, tooLarge, conflict } = operationErrors;

/** What the stack must know of an operation in openapi.json. */
export interface Operation {
  /** The operationId in openapi.json, which is also the operation's name in alarms and on the dashboard. */
  readonly operationId: string;
  /** The prefix of the operation's construct ids. Changing the prefix replaces the log group and alarms. */
  readonly id: string;
  /** The function's folder in `lambda/`, which is also the value of the dimension `service` of its metrics. */
  readonly functionName: string;
  readonly method: string;
  readonly path: string;
  readonly description: string;
  /** The tables that the function uses, and the DynamoDB actions that its role allows on each table. */
  readonly tables: readonly { readonly table: TableName; readonly actions: readonly string[] }[];
  /** The client errors that the operation can return, in addition to the faults in `operationErrors`. */
  readonly clientErrors: readonly ErrorSpec[];
  /** The metrics that the dashboard shows in addition to the numbers of all, rejected and failed requests. */
  readonly outcomes: readonly { readonly label: string; readonly metric: string }[];
}

/** Every operation of the API; each has its own function. */
export const operations = [
  {
    operationId: 'createPlant',
    id: 'CreatePlant',
    functionName: 'create-plant',
    method: 'POST',
    path: '/plants',
    description: 'creates a plant',
    tables: [{ table: 'plants', actions: ['dynamodb:PutItem'] }],
    clientErrors: [unsupportedMediaType, notJson, invalidBody, tooLarge, conflict],
    outcomes: [
      { label: 'created', metric: createPlantMetrics.created },
      { label: 'duplicates', metric: createPlantMetrics.duplicate },
    ],
  },
] as const satisfies readonly Operation[];

/** @throws SetupError if openapi.json and the list have different operations, methods or paths */
export function assertSameAsContract(list: readonly Operation[] = operations): void {
  const listed = list.map(describe);
  const specified = contract.map(describe);
  const unlisted = specified.find((name) => !listed.includes(name));
  if (unlisted !== undefined) {
    const advice = 'add it there, or remove it from openapi.json';
    throw new SetupError(`openapi.json has ${unlisted}, but lib/operations.ts does not: ${advice}`);
  }
  const unspecified = listed.find((name) => !specified.includes(name));
  if (unspecified !== undefined) {
    const advice = 'add it there, or remove it from lib/operations.ts';
    throw new SetupError(
      `lib/operations.ts has ${unspecified}, but openapi.json does not: ${advice}`,
    );
  }
}

function describe({
  operationId,
  method,
  path,
}: Pick<Operation, 'operationId' | 'method' | 'path'>): string {
  return `${operationId} (${method} ${path})`;
}
