import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { FunctionName } from '../../../lib/functions/function-names.ts';
import { stackName } from '../../../lib/stage-names.ts';

/** The folder of the app that global-setup.ts synthesizes once for all tests. */
export function synthesizedAssembly(): string {
  return builtOnce('assembly');
}

/** The file in a synthesized app's folder that holds the template of the stage dev. */
export const TEMPLATE_FILE = `${stackName('dev')}.template.json`;

/** The folder of a function's bundle, which global-setup.ts builds once for all tests. */
export function builtFunction(name: FunctionName): string {
  return builtOnce(name);
}

/** The path of a file or folder that exists until the tests of this run have ended. */
export function builtOnce(name: string): string {
  const { PLANT_STORE_BUILT: folder } = process.env;
  if (folder === undefined)
    throw new Error('global-setup.ts has not run: start the tests with npm test');
  return join(folder, name);
}

/** Bundles functions as the stack does, with the project's own code. Each gets a folder with its name in `output`. */
export function buildFunctions(
  project: string,
  names: readonly FunctionName[],
  output: string,
): void {
  const script = `import { buildFunction } from './lib/functions/bundle/build.ts';
    for (const name of ${JSON.stringify(names)}) buildFunction(name, ${JSON.stringify(`${output}/`)} + name);`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: project });
}
