import { operations } from '../../../lib/operations.ts';
import { exampleMethod, examplePath } from './contract.ts';

/** The operation that accepts `exampleBody`. Tests of what all operations share send their requests to it. */
export const exampleOperation = find();

function find(): (typeof operations)[number] {
  const found = operations.find(
    ({ method, path }) => method === exampleMethod && path === examplePath,
  );
  if (found === undefined)
    throw new Error(`lib/operations.ts has no ${exampleMethod} ${examplePath}`);
  return found;
}
