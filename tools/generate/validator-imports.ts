import type { Code, KeywordCxt } from 'ajv/dist/2020.js';
import { _Code } from 'ajv/dist/compile/codegen/code.js';

/** The names that a generated validator can import, with the modules that export them. */
export const IMPORTS = {
  fullFormats: 'ajv-formats/dist/formats.js',
  canonical: '../shared/canonical.ts',
  areUnique: '../shared/canonical.ts',
  isMultipleOf: '../shared/multiple-of.ts',
};

/** Returns code that refers to an imported name. */
export function imported(gen: KeywordCxt['gen'], name: keyof typeof IMPORTS): Code {
  return gen.scopeValue('func', { key: name, ref: name, code: new _Code(name) });
}
