import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { documents, PROJECT } from '../support/code-blocks.ts';

/** A command of the AWS CLI in a page. */
interface AwsCommand {
  /** As it was written, such as `dynamodb scan --table-name TABLE`. */
  readonly text: string;
  readonly service: string;
  /** In the letter case of the SDK, such as `DescribeTable`; for `wait`, of its waiter: `waitUntilTableExists`. */
  readonly operation: string;
  /** The names of its options, without the dashes. */
  readonly options: readonly string[];
}

/** Options that every command has. */
const GLOBAL_OPTIONS = ['query', 'output', 'region', 'profile'];

// The AWS CLI does not come from npm. Its options are the members of the operations' inputs, which the SDK has too.
const commands = documents.flatMap((document) => awsCommands(readFileSync(join(PROJECT, document), 'utf8')));

/** An operation's input: its members, those that it requires first. */
interface Input {
  readonly members: readonly string[];
  readonly required: number;
}

/** Operations of services whose clients this project does not install, from the reference of the AWS CLI. */
const OTHER_INPUTS: Readonly<Record<string, Input>> = {
  'apigateway FlushStageAuthorizersCache': { members: ['restApiId', 'stageName'], required: 2 },
  'apigateway GetRestApis': { members: [], required: 0 },
  'apigateway UpdateStage': { members: ['restApiId', 'stageName', 'patchOperations'], required: 2 },
  'logs DeleteLogGroup': { members: ['logGroupName'], required: 1 },
};

test('finds more than 20 commands of the AWS CLI in the docs', () => {
  expect(commands.length).toBeGreaterThan(20);
});

describe('a command of the AWS CLI in the docs', () => {
  test.each(commands)('has an operation and options that exist: $text', async (command) => {
    const { members, required } = await inputOf(command);
    const names = members.map((member) => member.toLowerCase());
    const given = command.options
      .map((option) => option.replaceAll('-', ''))
      .map((option) => (names.includes(option) ? option : option.replace(/^no/, '')));
    expect(given.filter((name) => !names.includes(name))).toEqual([]);
    // In a sentence, a command may be named only.
    if (given.length > 0) expect(given).toEqual(expect.arrayContaining(names.slice(0, required)));
  });
});

/** @throws Error if the service has no such operation */
async function inputOf({ service, operation }: AwsCommand): Promise<Input> {
  const other = OTHER_INPUTS[`${service} ${operation}`];
  if (other !== undefined) return other;
  const client: Readonly<Record<string, unknown>> = await import(`@aws-sdk/client-${service}`);
  // A waiter has the options of the operation that it repeats.
  if (operation in client && operation.startsWith('waitUntil')) return inputOfSchema(client.DescribeTable$);
  return inputOfSchema(client[`${operation}$`]);
}

/** The SDK's schema of an operation, `[…, input, output]`, whose input is `[…, members, types, required]`. */
function inputOfSchema(operation: unknown): Input {
  if (!Array.isArray(operation)) throw new Error('the service has no such operation');
  const given: unknown = operation[4];
  const input: unknown = typeof given === 'function' ? given() : given;
  if (!Array.isArray(input)) return { members: [], required: 0 };
  const members: unknown = input[4];
  return { members: Array.isArray(members) ? members.map(String) : [], required: Number(input[6] ?? 0) };
}

/** The commands in a Markdown page, in code blocks and in sentences. */
function awsCommands(page: string): readonly AwsCommand[] {
  const code = page.replaceAll(/\\\n\s*/g, '');
  return [...code.matchAll(/(?<![\w-])aws ([a-z0-9]+ [a-z-]+[^\n`]*)/g)].map(([, rest = '']) =>
    parse(commandIn(rest)),
  );
}

/** @returns the words of a shell command, up to where it ends: at a pipe, a bracket, a redirection or a comment */
function commandIn(text: string): readonly string[] {
  const tokens = text.match(/(?:'[^']*'|"(?:\\.|[^"\\])*"|<[^>]*>|[^\s'"|;&)<>#])+|[|;&)<>#]/g) ?? [];
  const end = tokens.findIndex((token) => /^[|;&)<>#]$/.test(token));
  return tokens.slice(0, end === -1 ? undefined : end);
}

function parse(words: readonly string[]): AwsCommand {
  const [service = '', verb = '', waiter = ''] = words;
  return {
    text: words.join(' '),
    service,
    operation: verb === 'wait' ? `waitUntil${pascalCase(waiter)}` : pascalCase(verb),
    options: words
      .filter((word) => word.startsWith('--'))
      .map((word) => word.slice(2))
      .filter((option) => !GLOBAL_OPTIONS.includes(option)),
  };
}

function pascalCase(words: string): string {
  return words.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
