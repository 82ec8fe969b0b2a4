import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { UserError } from '@plant-store/emulator';
import { FileSystem } from 'aws-cdk-lib/core';
import { buildFunction } from '../../lib/functions/bundle/build.ts';
import { FUNCTION_NAMES, type FunctionName } from '../../lib/names.ts';

const PROJECT = join(import.meta.dirname, '../..');

/** A position in a stack trace, such as `/var/task/function.cjs:26:13474`, with or without the folder. */
const POSITION = /(?:[^\s("]*\/)?function\.cjs:(\d+):(\d+)/g;

const HELP = `Prints the source line for a position in a deployed bundle. Without an argument, reads a log line from stdin.

  npm run where -- function.cjs:26:13474
  npm run where < line-from-the-log.json

Rebuilds the bundles from this checkout, so check out the deployed commit first.`;

/** Returns what `npm run where` prints: help if there is neither an argument nor a file or pipe. @throws UserError as `where` does */
export async function run(
  args: readonly string[],
  stdin: Readable & { readonly isTTY?: boolean },
): Promise<string> {
  if (args.includes('--help') || (args.length === 0 && stdin.isTTY)) return HELP;
  return where(args.join(' ') || (await text(stdin)));
}

/**
 * Replaces each position in a bundle with the source file and line, such as `lambda/shared/env.ts:22`.
 *
 * @param text a position, a stack trace or log lines
 * @returns for each function with code at these positions: its name, the hash of its asset (`S3Key` in the template of
 *   a deployed stack), and the text with the replacements
 * @throws UserError if the text contains no position, or no function has such code
 */
export function where(text: string): string {
  const [position] = text.match(POSITION) ?? [];
  if (position === undefined) {
    throw new UserError(
      'expected a position such as function.cjs:26:13474, or a log line that contains one',
    );
  }
  const [, service = ''] = text.match(/"service": ?"([\w-]+)"/) ?? [];
  // Both authorizers log the service name `authorize`.
  const functions = FUNCTION_NAMES.filter((name) => name.startsWith(service));
  const found = functions
    .map((name) => explained(text, name))
    .filter((block) => block !== undefined);
  if (found.length > 0) return found.join('\n\n');
  throw new UserError(
    `no bundle contains the position ${position}; check out the deployed commit, and run this again`,
  );
}

/**
 * Rebuilds a function with a source map, which is not deployed, and replaces the positions in the text.
 *
 * @returns undefined if the function's bundle contains none of the positions
 */
function explained(text: string, name: FunctionName): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-where-'));
  try {
    buildFunction(name, folder, { sourceMap: true });
    const bundle = join(folder, 'function.cjs');
    const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
    rmSync(`${bundle}.map`);
    const lines = readFileSync(bundle, 'utf8').split('\n');
    const replaced = text.replaceAll(POSITION, (position, line: string, column: string) => {
      // The source map finds an origin even for a position behind the end.
      const isInBundle = lines[Number(line) - 1]?.[Number(column) - 1] !== undefined;
      const origin = map.findOrigin(Number(line), Number(column));
      if (!isInBundle || !('fileName' in origin)) return position;
      return `${relative(PROJECT, resolve(folder, origin.fileName))}:${origin.lineNumber}`;
    });
    if (replaced === text) return undefined;
    // In a log line, the stack trace is one string with escaped newlines.
    const readable = replaced.replaceAll('\\n', '\n').trim();
    return `${name}, asset ${FileSystem.fingerprint(folder)}:\n${readable}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
