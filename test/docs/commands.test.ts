import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { EXPIRES_AT } from '../../lambda/shared/tokens/access-token.ts';
import { stageConfig } from '../../lib/stage-config.ts';
import { builtFunction } from '../support/assembly/synthesized-assembly.ts';
import { codeBlocks, PROJECT, read } from '../support/pages/code-blocks.ts';
import { contextIn, runWithStubs, scripts } from '../support/pages/page-commands.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// adopt.test.ts and the tests in test/create-plant/client/ run some of these commands. Commands that need an AWS account
// or Docker cannot run here, so their names and arguments are checked.
const results = scripts.map((script) => ({ at: script.at, ...runWithStubs(script) }));
const commands = results.flatMap((result) => result.commands);

const packageJson = JSON.parse(read('package.json'));
const npmScripts: Readonly<Record<string, string>> = packageJson.scripts;
/** The npm commands: `npm run --silent token -- list` is the script `token` with the argument `list`. */
const npmCommands = commandsOf('npm').map(({ at, args }) => {
  const [first = '', ...others] = args.filter((arg) => arg !== '--silent' && arg !== '--');
  const [script = '', ...scriptArgs] = first === 'run' ? others : [first, ...others];
  return { at, script, args: scriptArgs };
});

/** The commands of the CDK CLI, as `npx cdk deploy` or as an npm script such as `npm run deploy`. */
const cdkCommands = [
  ...commandsOf('npx').flatMap(({ at, args: [tool, ...args] }) =>
    tool === 'cdk' ? [{ at, script: '', args }] : [],
  ),
  ...npmCommands.flatMap(({ at, script, args }) => {
    const [tool, verb = ''] = (npmScripts[script] ?? '').split(' ');
    return tool === 'cdk' ? [{ at, script, args: [verb, ...args] }] : [];
  }),
];

const folder = temporaryFolder();

test.each(results)('the commands parse, and run only known programs: $at', ({ stderr }) => {
  expect(stderr).not.toMatch(/not found|syntax error|unexpected/i);
});

test('every npm script in the pages exists', () => {
  const known = ['ci', 'install', ...Object.keys(npmScripts)];
  const unknown = npmCommands.filter(({ script }) => script !== '' && !known.includes(script));
  expect(unknown).toEqual([]);
});

test('every perl command in the pages changes the file that it edits', () => {
  for (const { args } of commandsOf('perl')) {
    const file = args.at(-1) ?? '';
    const copy = join(folder, file);
    // An edit can need the one before it.
    if (!existsSync(copy)) cpSync(join(PROJECT, file), copy);
    const before = readFileSync(copy, 'utf8');
    spawnSync('perl', args, { cwd: folder });
    expect({ args, changed: readFileSync(copy, 'utf8') !== before }).toEqual({
      args,
      changed: true,
    });
  }
});

test('every command of ours in the pages has valid arguments, and fails only because nothing is running', () => {
  const ours = npmCommands.filter(
    ({ script, args }) =>
      ['token', 'conformance', 'plants'].includes(script) &&
      args.length > 0 &&
      !args.includes('--help'),
  );
  const distinct = new Map(
    ours.map((command) => [[command.script, ...command.args].join(' '), command]),
  );
  // One process runs all of them, because loading the AWS SDK takes longer than the rest.
  const run = `for (const [line, { script, args }] of ${JSON.stringify([...distinct])}) {
    console.error(line);
    process.argv = ['', '', ...args];
    process.exitCode = 0;
    await import('./bin/' + script + '.ts?' + line);
    console.error('exits with ' + process.exitCode);
  }`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', run], {
    cwd: PROJECT,
    env: { HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true', DATA_DIR: folder },
    encoding: 'utf8',
  });
  const expected = [...distinct].flatMap(([line, { script, args }]) => {
    const reason = args.includes('--local') ? 'no emulator is running' : 'no AWS region';
    return [line, expect.stringContaining(`${script}: ${reason}`), 'exits with 1'];
  });
  expect(stderr.trimEnd().split('\n')).toEqual(expected);
});

const nights = [...read('docs/runbook.md').split(/^(?=## )/m), read('docs/restore.md')];
test.each(nights.map((text) => [text.split('\n')[0], text]))(
  'the commands of a night set every variable that they use: %s',
  (_heading, text = '') => {
    const blocks = [...text.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, code = '']) => code);
    const { stderr } = runWithStubs({ at: '', code: ['set -u', ...blocks].join('\n') });
    expect(stderr).toBe('');
  },
);

test('the blocks in docs/restore.md tell lost, new and wrong plants apart, and copy and back up the right ones', () => {
  const [names, ...others] = codeBlocks('docs/restore.md');
  const blocks = [
    names,
    ...others.filter(({ code }) => /comm .*(now|after)|create-backup/.test(code)),
  ];
  const tables = `aws() {
  case "$2 $4" in
    describe-stacks*) echo live ;;
    'scan live') printf '1\\t2\\t10\\n' ;;
    'scan live-after') echo 5 ;;
    'scan live-restored') printf '10\\t1\\n3\\n' ;;
    get-item*) echo "$4 $6" ;;
    put-item*) echo "$(cat item.json) to $4" >&2 ;;
    create-backup*) echo "$4" >&2; false ;;
  esac
}`;
  const code = [tables, ...blocks.map((block) => block?.code)].join('\n');
  const { stdout, stderr } = spawnSync('sh', ['-c', code], { cwd: folder, encoding: 'utf8' });
  expect(stdout).toBe('3\n2\n5\n2\n');
  expect(stderr).toBe(
    'live-restored {"id":{"N":"3"}} to live\nlive {"id":{"N":"2"}} to live-restored\nlive-restored\n',
  );
});

test.each([
  ['deletes expired tokens', 'update-time-to-live', `Enabled=true,AttributeName=${EXPIRES_AT}`],
  ['ends a leaked token at once', 'rotate', '--overlap 0s'],
  ['lets no scanner unsubscribe', 'confirm-subscription', '--authenticate-on-unsubscribe true'],
])('a command in the pages %s: %s … %s', (_effect, verb, option) => {
  const found = commands.filter(({ args }) => args.includes(verb));
  expect(found.map(({ args }) => args.join(' '))).toContainEqual(expect.stringContaining(option));
});

test('the block in docs/operations.md prints the source line for a position in a deployed bundle', () => {
  const bundle = builtFunction('authorize');
  expect(readdirSync(bundle)).not.toContain('function.cjs.map');
  // A function does not start without its environment variables.
  const options = { env: { AWS_REGION: 'us-east-1' }, encoding: 'utf8' } as const;
  const crash = spawnSync(process.execPath, [join(bundle, 'index.mjs')], options).stderr;
  const [, line, column] = / at .*function\.cjs:(\d+):(\d+)/.exec(crash) ?? [];

  const block = codeBlocks('docs/operations.md').find(({ code }) => code.includes('findOrigin'));
  const code = block?.code.replace(/\["create-plant", .*\]/, `["authorize", ${line}, ${column}]`);
  const { stdout } = spawnSync('sh', ['-c', `${code}`], { cwd: PROJECT, encoding: 'utf8' });
  const [, file = '', thrower] =
    /fileName: '\.\.\/\.\.\/(lambda\/.*)',\s+lineNumber: (\d+)/.exec(stdout) ?? [];
  expect(read(file).split('\n')[Number(thrower) - 1]).toContain('throw new Error');
});

describe('npm run rename', () => {
  const rename = (cwd: string, arg = 'Garden Store') =>
    spawnSync(process.execPath, [join(PROJECT, 'bin/rename.ts'), arg], { cwd, encoding: 'utf8' });

  test('says what it expects, given any other argument', () => {
    const stderr =
      "rename: expected two or more capitalized words, such as 'Garden Store', got '--help'\n";
    expect(rename(folder, '--help')).toMatchObject({ status: 1, stdout: '', stderr });
  });

  test('renames what Git tracks, and says what to run next', () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'plant-store.ts'), 'plantStore(PlantStore)');
    spawnSync('sh', ['-c', 'git init -q && git add .'], { cwd });
    const stdout =
      'Renamed to Garden Store. Now run npm run format && npm run generate, and commit.\n';
    expect(rename(cwd)).toMatchObject({ status: 0, stdout, stderr: '' });
    expect(readFileSync(join(cwd, 'garden-store.ts'), 'utf8')).toBe('gardenStore(GardenStore)');
  });

  test('says in one line what to do if Git tracks no file', () => {
    const stderr = 'rename: Git tracks no file here; run git init && git add . and try again\n';
    expect(rename(temporaryFolder())).toMatchObject({ status: 1, stdout: '', stderr });
  });
});

describe('every CDK command in the pages', () => {
  test('has only options that the CDK CLI knows, because it ignores others', () => {
    const cli = JSON.parse(read('node_modules/aws-cdk/lib/cli/cli-type-registry.json'));
    const unknown = cdkCommands.flatMap(({ at, args: [verb = '', ...args] }) => {
      const options: Readonly<Record<string, { alias?: string }>> = {
        ...cli.globalOptions,
        ...cli.commands[verb].options,
      };
      const names = Object.entries(options).flatMap(([name, { alias }]) => [
        `--${name}`,
        `-${alias}`,
      ]);
      return args
        .filter((arg) => arg.startsWith('-') && !names.includes(arg))
        .map((arg) => `${at}: ${arg}`);
    });
    expect(unknown).toEqual([]);
  });

  test('has only valid options of its app', () => {
    for (const { script, args } of cdkCommands) {
      // test/template/github-roles.test.ts checks those of the other app.
      if (script === 'deploy:github') continue;
      const { node } = new App({ context: contextIn(args), outdir: folder });
      stageConfig(node);
    }
  });
});

/** @throws Error if no page has such a command, so that no test passes because it finds nothing */
function commandsOf(program: string) {
  const found = commands.filter((command) => command.program === program);
  if (found.length === 0) throw new Error(`no page has a command of ${program}`);
  return found;
}
