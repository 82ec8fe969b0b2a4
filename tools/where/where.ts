import { FUNCTION_NAMES, type FunctionName } from '../../lib/names.ts';
import { type BuiltFunction, builtFunction } from './source-lines.ts';

/** In stack traces, with or without the folder: `/var/task/function.cjs:26:13474`. */
const POSITION = /(?:[^\s("]*\/)?function\.cjs:(\d+):(\d+)/g;

/**
 * Replaces each position in a bundle by the line of its source.
 *
 * @param text a position, a stack trace or log lines
 * @returns for each function whose code is at those positions: its name, the hash of its asset, and the text; a
 *   message of what to do if there is none
 */
export function where(text: string): { readonly found: boolean; readonly output: string } {
  if (text.match(POSITION) === null) {
    return {
      found: false,
      output: 'expected a position such as function.cjs:26:13474, or a log line that contains one',
    };
  }
  const blocks = functionsIn(text)
    .map(builtFunction)
    .map((built) => explained(text, built));
  const found = blocks.filter((block) => block !== undefined);
  if (found.length > 0) return { found: true, output: found.join('\n\n') };
  return { found: false, output: 'no bundle has such a position: check out the commit that is deployed' };
}

function functionsIn(text: string): readonly FunctionName[] {
  const [, service = ''] = text.match(/"service": ?"([\w-]+)"/) ?? [];
  // Both authorizers log as `authorize`.
  const named = FUNCTION_NAMES.filter((name) => name.startsWith(service));
  return named.length > 0 ? named : FUNCTION_NAMES;
}

/** @returns undefined if the function's bundle has none of the positions */
function explained(text: string, { name, assetHash, sourceLine }: BuiltFunction): string | undefined {
  let found = false;
  const replaced = text.replaceAll(POSITION, (position, line: string, column: string) => {
    const source = sourceLine(Number(line), Number(column));
    found ||= source !== undefined;
    return source ?? position;
  });
  // A log line has its stack in one string.
  return found ? `${name}, asset ${assetHash}:\n${replaced.replaceAll('\\n', '\n').trim()}` : undefined;
}
