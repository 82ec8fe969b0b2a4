import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { templateFile } from '../../lib/names.ts';
import { type Service, startService } from '../support/service.ts';
import { synthesizedAssembly } from '../support/synthesized-assembly.ts';

const project = join(import.meta.dirname, '../..');
const readme = readFileSync(join(project, 'README.md'), 'utf8');
const { Resources } = JSON.parse(readFileSync(join(synthesizedAssembly(), templateFile('dev')), 'utf8'));

interface FunctionResource {
  readonly Type: string;
  readonly Properties: { Handler: string; Environment: { Variables: Record<string, unknown> } };
  readonly Metadata: Record<string, string>;
}

const functions = Object.values<FunctionResource>(Resources).filter(
  ({ Type }) => Type === 'AWS::Lambda::Function',
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

  test('has a function with the id CreatePlant', () => {
    const paths = functions.map(({ Metadata }) => Metadata['aws:cdk:path']);
    expect(paths).toContain('PlantStore-dev/CreatePlant/Resource');
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

describe('the events of the README', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  // The order matters: the last conflicts with the first.
  test.each(['create-plant', 'create-plant-invalid', 'create-plant-conflict'])(
    '%s.json returns the response in the README',
    async (event) => {
      const { statusCode, body } = await invoke(`events/${event}.json`);
      expect(readme).toContain(`| \`events/${event}.json\` | ${statusCode} | \`${body}\` |`);
    },
  );

  /** Runs the bundle that the template names in a process of its own, with SAM's environment. */
  async function invoke(event: string): Promise<{ statusCode: number; body: string }> {
    const createPlant = functions.find(({ Metadata }) => /CreatePlant/.test(Metadata['aws:cdk:path'] ?? ''));
    const folder = createPlant === undefined ? '' : codeFolder(createPlant);
    // The function logs to stdout, so its response goes to stderr.
    const run = `
      const event = JSON.parse(require('node:fs').readFileSync(${JSON.stringify(join(project, event))}, 'utf8'));
      import(${JSON.stringify(join(folder, 'index.mjs'))})
        .then(({ handler }) => handler(event, { getRemainingTimeInMillis: () => 10_000 }))
        .then((response) => console.error(JSON.stringify(response)));`;
    const { stderr } = await promisify(execFile)(process.execPath, ['-e', run], {
      env: {
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'defaultkey',
        AWS_SECRET_ACCESS_KEY: 'defaultsecret',
        AWS_ENDPOINT_URL_DYNAMODB: service.emulator.dynamodbEndpoint,
        STAGE: 'dev',
        PLANTS_TABLE: service.emulator.tableNames.find((name) => name.startsWith('Plants')),
      },
    });
    return JSON.parse(stderr);
  }
});
