import type { Target } from './connect.ts';

/**
 * What to type for a token command on the stage that a target means.
 *
 * @param command with its NAME and its own options, for example `list`
 * @returns for example `npm run token -- list --local`
 */
export function commandLine(command: string, { local, stage }: Target, env: NodeJS.ProcessEnv): string {
  const dataDir = local && env.DATA_DIR ? `DATA_DIR=${quoted(env.DATA_DIR)} ` : '';
  const where = local ? ' --local' : stage === undefined ? '' : ` --stage ${stage}`;
  return `${dataDir}npm run token -- ${command}${where}`;
}

function quoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
