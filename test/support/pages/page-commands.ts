import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary-folder.ts';
import { codeBlocks, documents, inlineCode } from './code-blocks.ts';

/** A shell script in a page: a code block, or the npm and npx commands in the page's sentences and tables. */
export interface PageScript {
  readonly at: string;
  readonly code: string;
}

export interface PageCommand {
  readonly at: string;
  /** Such as `npm`. */
  readonly program: string;
  readonly args: readonly string[];
}

/** A definition of a function, which later blocks in the same page may call. */
const FUNCTION = /^\w+\(\) \{.*?^\}$/gms;

export const scripts: readonly PageScript[] = documents.flatMap((page) => {
  const shell = codeBlocks(page).filter(({ language }) => language === 'sh');
  const blocks = shell.map(({ at, code }, index) => {
    const functions = shell.slice(0, index).flatMap((block) => block.code.match(FUNCTION) ?? []);
    return { at, code: [...functions, code].join('\n') };
  });
  const inline = inlineCode(page).filter((code) => /^([A-Z_]+=\S+ )*(npm|npx) /.test(code));
  return [...blocks, { at: `${page}, inline`, code: inline.join('\n') }];
});

/** The programs that a reader of the pages needs. */
const PROGRAMS =
  'aws comm curl date docker git grep head mkdir npm npx perl sam sed sleep sort tar tee tr xargs'.split(
    ' ',
  );
const [END_OF_ARGUMENT, END_OF_COMMAND] = ['\u001f', '\u001e'];

// Each program is a function that writes its name and arguments to file descriptor 3, and prints a line, so that a loop
// over a program's output runs once. A second sleep fails, which ends an endless loop.
const STUBS = `PATH=
record() { printf '%s${END_OF_ARGUMENT}' "$@" '${END_OF_COMMAND}' >&3; echo line; }
${PROGRAMS.map((program) => `${program}() { record ${program} "$@"; }`).join('\n')}
sleep() { [ -z "\${slept-}" ] && slept=yes; }
`;

/**
 * Runs a script in an empty folder with a shell that has only stubs of programs.
 *
 * @returns the commands that the script runs, and the shell's errors
 */
export function runWithStubs({ at, code }: PageScript): {
  commands: PageCommand[];
  stderr: string;
} {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, '.ci'));
  writeFileSync(join(cwd, '.ci/run'), '#!/bin/sh\n', { mode: 0o755 });
  const { output } = spawnSync('sh', ['-c', `${STUBS}${code}`], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const recorded = `${output[3]}`.split(`${END_OF_COMMAND}${END_OF_ARGUMENT}`).slice(0, -1);
  const commands = recorded.map((command) => {
    const [program = '', ...args] = command.split(END_OF_ARGUMENT).slice(0, -1);
    return { at, program, args };
  });
  return { commands, stderr: `${output[2]}` };
}

/** Returns the context that options such as `-c NAME=VALUE` of a CDK command set. */
export function contextIn(args: readonly string[]): Readonly<Record<string, string>> {
  const values = args.filter((_, index) => args[index - 1] === '-c');
  return Object.fromEntries(values.map((value) => value.split('=')));
}
