import { createPlantMetrics } from '../lambda/create-plant/metrics.ts';
import { operations } from '../lambda/generated/operations.ts';
import type { OperationEnv } from '../lambda/shared/env.ts';
import { type ErrorSpec, operationErrors } from '../lambda/shared/errors.ts';
import { FUNCTION_NAMES } from './functions/function-names.ts';
import type { TableId } from './tables.ts';
import { UserError } from './user-error.ts';

const { unsupportedMediaType, notJson, invalidBody, tooLarge, conflict } = operationErrors;

/** The client errors of every operation that stores a JSON body. */
export const storedBodyErrors: readonly ErrorSpec[] = [
  unsupportedMediaType,
  notJson,
  invalidBody,
  tooLarge,
];

type GeneratedOperation = (typeof operations)[number];

/** What the stack must know of an operation and openapi.json does not say. */
interface OperationSpec {
  readonly description: string;
  /** The tables that the function uses, and the DynamoDB actions that its role allows on each table. */
  readonly tables: readonly { readonly table: TableId; readonly actions: readonly string[] }[];
  /** The values of other variables of its environment. */
  readonly environment?: Partial<OperationEnv>;
  /** The client errors that the operation can return, in addition to the faults in `operationErrors`. */
  readonly clientErrors: readonly ErrorSpec[];
  /** The operation's own metrics, which the dashboard shows, by the `outcome` in the log. */
  readonly metrics: Readonly<Record<string, string>>;
}

export type Operation = GeneratedOperation &
  OperationSpec & {
    /** The prefix of the operation's construct ids; a new operationId replaces the function, its log and its alarms. */
    readonly id: string;
  };

/** By `operationId`. */
export const operationSpecs: Readonly<Record<GeneratedOperation['operationId'], OperationSpec>> = {
  createPlant: {
    description: 'creates a plant',
    tables: [{ table: 'Plants', actions: ['dynamodb:PutItem'] }],
    clientErrors: [...storedBodyErrors, conflict],
    metrics: createPlantMetrics,
  },
};

/**
 * Every operation of the API; each has its own function.
 *
 * @throws UserError if an operation is only in openapi.json or only in `operationSpecs`, or its folder is another
 * function's
 */
export function listOperations(): readonly Operation[] {
  // The compiler checks this too, but Node runs the code without it.
  const inContract: readonly string[] = operations.map(({ operationId }) => operationId);
  const inSpecs = Object.keys(operationSpecs);
  const withoutSpec = inContract.find((each) => !inSpecs.includes(each));
  if (withoutSpec !== undefined) {
    throw new UserError(
      `lib/operations.ts lacks the operation ${withoutSpec}: add it, or remove it from openapi.json`,
    );
  }
  const onlyInSpecs = inSpecs.find((each) => !inContract.includes(each));
  if (onlyInSpecs !== undefined) {
    throw new UserError(
      `openapi.json lacks the operation ${onlyInSpecs}: add it, or remove it from lib/operations.ts`,
    );
  }
  const taken = FUNCTION_NAMES.find((name, index) => FUNCTION_NAMES.indexOf(name) < index);
  if (taken !== undefined) {
    throw new UserError(`lambda/${taken}/ is not an operation: choose another operationId`);
  }
  return operations.map((operation) => {
    const { operationId } = operation;
    const id = operationId.replace(/^./, (letter) => letter.toUpperCase());
    return { ...operation, ...operationSpecs[operationId], id };
  });
}
