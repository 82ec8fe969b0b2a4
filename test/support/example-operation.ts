import { operations } from '../../lib/operations.ts';
import { examplePath } from './contract.ts';

/** The operation that accepts `exampleBody`. Tests of what all operations share send their requests to it. */
export const exampleOperation = operationAt(examplePath);

function operationAt(path: string): (typeof operations)[number] {
  const operation = operations.find((each) => each.path === path);
  if (operation === undefined) throw new Error(`lib/operations.ts has no operation at ${path}`);
  return operation;
}
