import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TOKENS_TABLE_OUTPUT, templateFile } from '../../../lib/names.ts';
import { type Service, startService } from '../../../test/support/service.ts';
import { synthesizedAssembly } from '../../../test/support/synthesized-assembly.ts';
import { tokenStore } from '../../tokens/token-store.ts';
import { issueToken } from '../../tokens/tokens.ts';

const project = join(import.meta.dirname, '../../..');
const page = readFileSync(join(project, 'docs/sam.md'), 'utf8');
const { Resources } = JSON.parse(readFileSync(join(synthesizedAssembly(), templateFile('dev')), 'utf8'));

interface FunctionResource {
  readonly Type: string;
  readonly Properties: { Handler: string; Environment: { Variables: Record<string, unknown> } };
  readonly Metadata: Record<string, string>;
}

const functions = Object.values<FunctionResource>(Resources).filter(
  ({ Type }) => Type === 'AWS::Lambda::Function',
);

interface AuthorizerResource {
  readonly Type: string;
  readonly Properties: { IdentityValidationExpression: string };
}

/** The Authorization headers that API Gateway passes to the authorizer. */
const tokenPattern = new RegExp(
  Object.values<AuthorizerResource>(Resources).find(({ Type }) => Type === 'AWS::ApiGateway::Authorizer')
    ?.Properties.IdentityValidationExpression ?? '',
);

/** Returns the folder of a function's code, located as SAM does. */
function codeFolder({ Metadata }: FunctionResource): string {
  return join(synthesizedAssembly(), Metadata['aws:asset:path'] ?? '');
}

describe('the template, for SAM', () => {
  test.each(functions)('locates the handler of $Metadata.aws:cdk:path', (resource) => {
    const [module = '', name] = resource.Properties.Handler.split('.');

    expect(resource.Metadata['aws:asset:property']).toBe('Code');
    // Lambda tries these in this order.
    const file = [`${module}.js`, `${module}.mjs`, `${module}.cjs`]
      .map((candidate) => join(codeFolder(resource), candidate))
      .find((candidate) => existsSync(candidate));
    expect(readFileSync(file ?? '', 'utf8')).toMatch(new RegExp(`export .*\\b${name}\\b`));
  });

  test('declares every variable of events/env.json, because SAM overrides no other', () => {
    const { Parameters } = JSON.parse(readFileSync(join(project, 'events/env.json'), 'utf8'));
    for (const { Properties } of functions) {
      expect(Object.keys(Properties.Environment.Variables)).toEqual(
        expect.arrayContaining(Object.keys(Parameters)),
      );
    }
  });
});

describe('the events of docs/sam.md', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  // The order matters: the last conflicts with the first.
  test.each(['create-plant', 'create-plant-invalid', 'create-plant-conflict'])(
    '%s.json returns the response in docs/sam.md',
    async (name) => {
      const { statusCode, body } = await invoke('CreatePlant', await read(name));
      expect(page).toContain(`| \`events/${name}.json\` | ${statusCode} | \`${body}\` |`);
    },
  );

  test('authorize.json with a token returns the policy in docs/sam.md', async () => {
    const { text, record } = await issueToken(
      tokenStore(service.dynamodb, service.emulator.outputs[TOKENS_TABLE_OUTPUT] ?? ''),
      { name: 'sam', expiresAt: undefined },
    );
    const event = (await read('authorize')).replace('ACCESS_TOKEN', text);
    const result = JSON.stringify(await invoke('Authorize', event)).replace(record.id, '…');
    expect(page).toContain(`| \`events/authorize.json\` | \`${result}\` |`);
  });

  test.each([
    { name: 'authorize-unknown', passes: true },
    { name: 'authorize-malformed', passes: false },
  ])(
    '$name.json ends in the error in docs/sam.md; API Gateway passes it: $passes',
    async ({ name, passes }) => {
      const event = await read(name);
      const error = await invoke('Authorize', event);
      expect(page).toContain(`| \`events/${name}.json\` | the error \`${error}\``);
      expect(tokenPattern.test(JSON.parse(event).authorizationToken)).toBe(passes);
    },
  );

  /**
   * Runs the bundle that the template names in a process of its own, with SAM's environment.
   * @returns the result, or the message of an error
   */
  async function invoke(construct: string, event: string) {
    const definition = functions.find(
      ({ Metadata }) => Metadata['aws:cdk:path']?.split('/')[1] === construct,
    );
    const bundle = definition === undefined ? '' : join(codeFolder(definition), 'index.mjs');
    // The function logs to stdout, so its result goes to stderr.
    const run = `
      import(${JSON.stringify(bundle)})
        .then(({ handler }) => handler(${event}, { getRemainingTimeInMillis: () => 10_000 }))
        .catch((error) => error.message)
        .then((result) => console.error(JSON.stringify(result)));`;
    const { stderr } = await promisify(execFile)(process.execPath, ['-e', run], {
      env: {
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'defaultkey',
        AWS_SECRET_ACCESS_KEY: 'defaultsecret',
        AWS_ENDPOINT_URL_DYNAMODB: service.emulator.dynamodbEndpoint,
        STAGE: 'dev',
        PLANTS_TABLE: tableName('Plants'),
        TOKENS_TABLE: tableName('Tokens'),
      },
    });
    return JSON.parse(stderr);
  }

  function tableName(construct: string): string | undefined {
    return service.emulator.tableNames.find((name) => name.startsWith(construct));
  }
});

function read(event: string): Promise<string> {
  return readFile(join(project, `events/${event}.json`), 'utf8');
}
