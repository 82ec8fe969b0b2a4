import type { Code, KeywordCxt } from 'ajv/dist/2020.js';
import { _Code } from 'ajv/dist/compile/codegen/code.js';

/** The functions that generated code imports, with their modules. */
export const IMPORTS: Readonly<Record<string, string>> = {
  fullFormats: 'ajv-formats/dist/formats.js',
  canonical: '../shared/canonical.ts',
  areUnique: '../shared/canonical.ts',
  isMultipleOf: '../shared/multiple-of.ts',
};

/** Returns code that refers to one of these functions. */
export function imported(gen: KeywordCxt['gen'], name: string): Code {
  return gen.scopeValue('func', { key: name, ref: name, code: new _Code(name) });
}
