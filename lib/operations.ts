import { type ErrorSpec, operationErrors } from '../lambda/shared/errors.ts';
import type { MetricName } from '../lambda/shared/log/request-log.ts';

const { unsupportedMediaType, notJson, notANewPlant, tooLarge, conflict } = operationErrors;

/** An operation of openapi.json: what the stack needs to know to deploy and monitor it. */
export interface Operation {
  /** That of openapi.json, for people. */
  readonly operationId: string;
  /** Begins the ids of its constructs, so another one would replace its log group and alarms. */
  readonly id: string;
  /** Its folder in `lambda/`, and the dimension `service` of its metrics. */
  readonly functionName: string;
  readonly method: string;
  readonly path: string;
  readonly description: string;
  /** The actions of DynamoDB that it may do on the plants table. */
  readonly rights: readonly string[];
  /** Every operation also has the faults among `operationErrors`. */
  readonly clientErrors: readonly ErrorSpec[];
  /** What the dashboard shows of its requests beside those that were rejected or failed; the default is the sum. */
  readonly outcomes: readonly {
    readonly label: string;
    readonly metric: MetricName;
    readonly statistic?: 'SampleCount';
  }[];
}

/** Every operation of the API, each with a function of its own. */
export const operations = [
  {
    operationId: 'createPlant',
    id: 'CreatePlant',
    functionName: 'create-plant',
    method: 'POST',
    path: '/plants',
    description: 'creates a plant',
    rights: ['dynamodb:PutItem'],
    clientErrors: [unsupportedMediaType, notJson, notANewPlant, tooLarge, conflict],
    outcomes: [
      { label: 'created', metric: 'PlantsCreated' },
      { label: 'duplicates', metric: 'DuplicateRequests' },
    ],
  },
] as const satisfies readonly Operation[];
