import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { FileSystem } from 'aws-cdk-lib/core';
import { buildFunction } from '../../lib/functions/bundle/build.ts';
import type { FunctionName } from '../../lib/names.ts';

const PROJECT = join(import.meta.dirname, '../..');

/** The code of a function as this checkout builds it. */
export interface BuiltFunction {
  readonly name: FunctionName;
  /** The name of its asset, which the template of a deployed stack has as `S3Key`. */
  readonly assetHash: string;
  /**
   * @param line of the bundle, from 1 on
   * @param column of the bundle, from 1 on
   * @returns such as `lambda/shared/env.ts:22`, or undefined if the bundle has no such position
   */
  readonly sourceLine: (line: number, column: number) => string | undefined;
}

/** Builds a function again, with the source map that is not deployed. */
export function builtFunction(name: FunctionName): BuiltFunction {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-where-'));
  try {
    buildFunction(name, folder, { sourceMap: true });
    const bundle = join(folder, 'function.cjs');
    const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
    rmSync(`${bundle}.map`);
    const lines = readFileSync(bundle, 'utf8').split('\n');
    return {
      name,
      assetHash: FileSystem.fingerprint(folder),
      sourceLine: (line, column) => {
        if (column < 1 || column > (lines[line - 1]?.length ?? 0)) return undefined;
        const origin = map.findOrigin(line, column);
        if (!('fileName' in origin)) return undefined;
        return `${relative(PROJECT, resolve(folder, origin.fileName))}:${origin.lineNumber}`;
      },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
