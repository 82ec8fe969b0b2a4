import { type ErrorSpec, operationErrors } from '../lambda/shared/errors.ts';
import type { MetricName } from '../lambda/shared/log/request-log.ts';
import type { TableName } from './tables.ts';

const { unsupportedMediaType, notJson, invalidBody, tooLarge, conflict } = operationErrors;

/** What the stack needs to know about an operation of openapi.json to deploy and monitor it. */
export interface Operation {
  /** Its operationId in openapi.json, and its name in alarms and on the dashboard. */
  readonly operationId: string;
  /** The prefix of its construct ids. Changing it replaces the log group and alarms. */
  readonly id: string;
  /** Its folder in `lambda/`, and the dimension `service` of its metrics. */
  readonly functionName: string;
  readonly method: string;
  readonly path: string;
  readonly description: string;
  /** The tables that it uses, and the DynamoDB actions that its role allows on each. */
  readonly tables: readonly { readonly table: TableName; readonly actions: readonly string[] }[];
  /**
   * The client errors that it can return. In addition, every operation can return the faults among `operationErrors`.
   */
  readonly clientErrors: readonly ErrorSpec[];
  /** What the dashboard shows in addition to the numbers of all, rejected and failed requests. */
  readonly outcomes: readonly { readonly label: string; readonly metric: MetricName }[];
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
      { label: 'created', metric: 'PlantsCreated' },
      { label: 'duplicates', metric: 'DuplicateRequests' },
    ],
  },
] as const satisfies readonly Operation[];
