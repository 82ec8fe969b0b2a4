import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../../../test/support/code-blocks.ts';

export const workflows = globSync('.github/workflows/*.yml', { cwd: PROJECT }).map((file) => ({
  file,
  text: readFileSync(join(PROJECT, file), 'utf8'),
}));

/** Returns the values of `run` or `uses` in the steps of a workflow. */
export function valuesOf(text: string, key: 'run' | 'uses'): string[] {
  return [...text.matchAll(new RegExp(`^\\s+(?:- )?${key}: (.*)$`, 'gm'))].map(([, value = '']) => value);
}
