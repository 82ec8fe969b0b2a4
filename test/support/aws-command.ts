/** A command of the AWS CLI in a page. */
export interface AwsCommand {
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

/** The commands in a Markdown page, in code blocks and in sentences. */
export function awsCommands(page: string): readonly AwsCommand[] {
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
