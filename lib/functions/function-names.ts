import { join } from 'node:path';
import { operations } from '../../lambda/generated/operations.ts';

export const LAMBDA_FOLDER = join(import.meta.dirname, '../../lambda');

/** The folders of the functions in LAMBDA_FOLDER. */
export const FUNCTION_NAMES = [
  ...operations.map(({ functionName }) => functionName),
  'authorize',
  'authorize-oidc',
  'pre-traffic',
] as const;

export type FunctionName = (typeof FUNCTION_NAMES)[number];
