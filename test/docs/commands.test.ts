import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { codeBlocks, documents, PROJECT } from '../support/code-blocks.ts';
import { runInTurn } from '../support/token-command.ts';

// Commands that need an AWS account, Docker or a terminal cannot run here. For these commands, only the names, scripts
// and files are checked.
const blocks = documents
  .flatMap(codeBlocks)
  .filter(({ language, output }) => language === 'sh' && output === undefined);
const commands = blocks.flatMap(({ at, code }) => commandsIn(code).map((command) => ({ at, command })));

const { scripts } = JSON.parse(readPage('package.json'));
/** Maps the first word of a command to a function that returns what is wrong with the other words, or undefined. */
const checks: Readonly<Record<string, (words: readonly string[]) => string | undefined>> = {
  npm: (words) => {
    const [subcommand = '', script = ''] = words.filter((word) => word !== '--silent');
    const name = subcommand === 'run' ? script : subcommand;
    return ['ci', 'install'].includes(name) || name in scripts ? undefined : `there is no script ${name}`;
  },
  // test/template/nag.test.ts synthesizes the stack with the options of each of these commands.
  npx: ([tool = '', verb = '']) =>
    tool === 'cdk' && /^(bootstrap|deploy|destroy|diff|synth)$/.test(verb) ? undefined : `${tool} ${verb}`,
  '.ci/run': () => missing(['.ci/run']),
  // A test below checks the edits that `perl` makes.
  perl: (words) => missing(words.slice(-1)),
};
/** Commands that are not checked here. adopt.test.ts and the tests in test/create-plant/client/ run some of them. */
const unchecked =
  'aws curl docker echo git xargs mkdir sed tee tar export until while done comm grep sort tr ids() ids }'.split(
    ' ',
  );

test.each(blocks)('a code block in the docs parses as a shell script: $at', ({ code }) => {
  expect(spawnSync('sh', ['-n'], { input: code, encoding: 'utf8' }).stderr).toBe('');
});

test('the commands in the docs use only scripts and files that exist', () => {
  const wrong = commands.map(({ at, command }) => {
    const [name = '', ...words] = command.split(/\s+/);
    const problem =
      name in checks ? checks[name]?.(words) : 'add a check for this command to commands.test.ts';
    return problem === undefined || unchecked.includes(name) ? [] : `${at} ${command}: ${problem}`;
  });
  expect(commands.length).toBeGreaterThan(100);
  expect(wrong.flat()).toEqual([]);
});

describe('a command in the docs that needs an account', () => {
  const scripts = documents.flatMap(codeBlocks).filter(({ language }) => language === 'sh');
  const lines = scripts.map(({ code }) => code.replaceAll(/\\\n\s*/g, '')).join('\n');
  const [cdkCommands, ownCommands] = [
    /npx cdk (?:bootstrap|deploy|destroy|diff|synth)\b[^\n#]*/g,
    /npm run (?:--silent )?(?:token|conformance)\b[^\n#)|>]*/g,
  ].map((pattern) => [...new Set(lines.match(pattern)?.map((command) => command.trim()))]);

  test('has valid arguments and fails only because there is no AWS region', async () => {
    const inAws = ownCommands?.filter((command) => !/--(local|url)/.test(command)) ?? [];
    expect(inAws.length).toBeGreaterThan(10);
    for (const command of inAws) {
      const [name = '', ...args] = command
        .split(/\s+/)
        .filter((word) => !/^(npm|run|--silent|--)$/.test(word));
      const { code, stderr } = await runInTurn(name, args);
      expect([command, code, stderr]).toEqual([
        command,
        1,
        expect.stringMatching(`^${name}: no AWS region: `),
      ]);
    }
  });

  test('uses only options that the CDK knows, because the CDK ignores unknown options', () => {
    const cdk = JSON.parse(readPage('node_modules/aws-cdk/lib/cli/cli-type-registry.json'));
    const unknown = cdkCommands?.flatMap((command) => {
      const options: Readonly<Record<string, { alias?: string }>> = {
        ...cdk.globalOptions,
        ...cdk.commands[command.split(' ')[2] ?? ''].options,
      };
      const names = Object.entries(options).flatMap(([name, { alias }]) => [`--${name}`, `-${alias}`]);
      const used = command.match(/(?<= )--?[a-z][\w-]*/g) ?? [];
      return used.filter((option) => !names.includes(option)).map((option) => `${command}: ${option}`);
    });
    expect(unknown).toEqual([]);
  });
});

describe('docs/first-day.md', () => {
  const page = readPage('docs/first-day.md');

  test('shows the output of every command as seen or expected, or says that it prints nothing', () => {
    const [, ...steps] = page.split(/^```sh\n/m);
    expect(steps.length).toBeGreaterThan(12);
    const output = /^```\n\n(Seen|Expected)\b[^#]*?:\n\n```\n.*?^```$|^```\n\nThis prints nothing/ms;
    expect(steps.filter((step) => !output.test(step))).toEqual([]);
  });

  test('contains perl commands that match text in the file that they edit', () => {
    let file = readPage('lib/functions/node-function.ts');
    for (const [, from = '', to = ''] of page.matchAll(
      /perl -pi -e 's\/(.*)\/(.*)\/' lib\/functions\/node-function\.ts/g,
    )) {
      expect(file).toContain(from);
      file = file.replace(from, to);
    }
    expect(file).toContain('MEMORY_MB = 768');
    expect(page).toContain('>> lambda/create-plant/index.ts');
    expect(existsSync(join(PROJECT, 'lambda/create-plant/index.ts'))).toBe(true);
  });
});

test('the docs link only to files, folders and headings that exist', () => {
  const broken = documents.flatMap((document) =>
    [...readPage(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
      .map(([, path, anchor]) => ({ target: path ? join(document, '..', path) : document, anchor }))
      .filter(
        ({ target, anchor }) =>
          missing([target]) ?? (anchor !== undefined && !anchorsOf(target).includes(anchor)),
      )
      .map(({ target, anchor }) => `${document} -> ${target}#${anchor}`),
  );
  expect(broken).toEqual([]);
});

test('the code links to every decision, and to no other', () => {
  const lines = spawnSync('git', ['grep', '-hoE', 'docs/decisions\\.md#[a-z0-9-]+', ':!*.md'], {
    cwd: PROJECT,
    encoding: 'utf8',
  });
  const linked = lines.stdout.split('\n').map((line) => line.split('#')[1]);
  const [, ...decisions] = anchorsOf('docs/decisions.md');
  expect([...new Set(linked)].filter((anchor) => anchor !== undefined).sort()).toEqual(decisions.sort());
});

function readPage(page: string): string {
  return readFileSync(join(PROJECT, page), 'utf8');
}

function missing(files: readonly string[]): string | undefined {
  return files.filter((file) => !existsSync(join(PROJECT, file))).map((file) => `there is no ${file}`)[0];
}

/** Returns the anchors that GitHub generates for a page's headings. */
function anchorsOf(page: string): string[] {
  return [...readPage(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** Returns the commands in a script, without comments, quoted strings and variable assignments. */
function commandsIn(code: string): string[] {
  return code
    .replaceAll(/\\\n\s*/g, '')
    .replaceAll(/'[^']*'|"[^"]*"/g, "''")
    .replaceAll(/(^|\s)#.*$/gm, '')
    .split(/\n|&&|\|/)
    .map((line) => line.trim().replace(/^[A-Z_]+=(?:\$\(|\S+ +)/, ''))
    .filter((line) => line !== '');
}
