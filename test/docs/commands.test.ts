import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { codeBlocks, documents, PROJECT } from '../support/code-blocks.ts';

// Commands that need an AWS account, Docker or a terminal can't be run here. They are checked as far as goes.
const blocks = documents
  .flatMap(codeBlocks)
  .filter(({ language, output }) => language === 'sh' && output === undefined);
const commands = blocks.flatMap(({ at, code }) => commandsIn(code).map((command) => ({ at, command })));

const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
const options = globSync(['lib/*.ts', 'bin/*.ts'], { cwd: PROJECT })
  .map((file) => readFileSync(join(PROJECT, file), 'utf8'))
  .join('\n');

/** What a command must be, by its first word; undefined is fine, a text says what is wrong. */
const checks: Readonly<Record<string, (words: readonly string[]) => string | undefined>> = {
  npm: (words) => {
    const [subcommand = '', script = ''] = words.filter((word) => word !== '--silent');
    if (subcommand === 'ci') return undefined;
    const name = subcommand === 'run' ? script : subcommand;
    return name in scripts ? undefined : `there is no script ${name}`;
  },
  npx: ([tool = '', verb = '', ...rest]) => {
    if (tool !== 'cdk' || !/^(bootstrap|deploy|destroy|diff|synth)$/.test(verb)) return `${tool} ${verb}`;
    return rest
      .flatMap((word, index) => (rest[index - 1] === '-c' ? [word.split('=')[0] ?? ''] : []))
      .filter((key) => !new RegExp(`\\b${key}\\b`).test(options))
      .map((key) => `nothing in lib/ reads the context ${key}`)[0];
  },
  sam: (words) =>
    words
      .filter((word) => /^[\w-]+\/\S+\.json$/.test(word) && !word.startsWith('cdk.out/'))
      .filter((file) => !existsSync(join(PROJECT, file)))
      .map((file) => `there is no ${file}`)[0],
  '.ci/run': () => (existsSync(join(PROJECT, '.ci/run')) ? undefined : 'there is no .ci/run'),
  aws: ([service = '', operation = '']) =>
    /^[a-z0-9]+$/.test(service) && /^[a-z-]+$/.test(operation) ? undefined : 'no service and operation',
  git: () => undefined,
  export: () => undefined,
};

test.each(blocks)('$at is a shell script', ({ code }) => {
  expect(spawnSync('sh', ['-n'], { input: code, encoding: 'utf8' }).stderr).toBe('');
});

describe('a command of the pages exists, and so do its scripts, options and files', () => {
  test.each(commands)('$at $command', ({ command }) => {
    const [name = '', ...words] = command.split(/\s+/);
    const check = checks[name];
    if (check === undefined) throw new Error(`no check knows the command ${name}`);
    expect(check(words)).toBeUndefined();
  });
});

test('every decision record is in the index', () => {
  const index = readFileSync(join(PROJECT, 'docs/decisions/README.md'), 'utf8');
  const records = globSync('docs/decisions/[0-9]*.md', { cwd: PROJECT }).map((file) => basename(file));
  expect(records.filter((record) => !index.includes(`](${record})`))).toEqual([]);
});

test('the folders and files that a page links to exist', () => {
  const missing = documents.flatMap((document) => {
    const text = readFileSync(join(PROJECT, document), 'utf8');
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, target = '']) => target);
    return targets
      .filter((target) => !existsSync(join(PROJECT, document, '..', target)))
      .map((target) => `${document} -> ${target}`);
  });
  expect(missing).toEqual([]);
});

/** The commands of a script, without comments, quoted texts and what assigns variables. */
function commandsIn(code: string): string[] {
  return code
    .replaceAll(/\\\n\s*/g, '')
    .replaceAll(/'[^']*'|"[^"]*"/g, "''")
    .replaceAll(/(^|\s)#.*$/gm, '')
    .split(/\n|&&/)
    .map((line) => line.trim().replace(/^[A-Z_]+=(?:\$\(|\S+ +)/, ''))
    .filter((line) => line !== '');
}
