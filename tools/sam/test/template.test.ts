import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OUTPUTS, templateFile } from '../../../lib/names.ts';
import { listOperations } from '../../../lib/operations.ts';
import { tables } from '../../../lib/tables.ts';
import { synthesizedAssembly } from '../../../test/support/assembly/synthesized-assembly.ts';
import type { Json } from '../../../test/support/assembly/template-resources.ts';
import { type Service, startService } from '../../../test/support/service/service.ts';
import { tokenStore } from '../../tokens/token-store.ts';
import { issueToken } from '../../tokens/tokens.ts';
import { samTemplate } from '../template.ts';

const operations = listOperations();
const project = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(project, file), 'utf8');
const template = JSON.parse(readFileSync(join(synthesizedAssembly(), templateFile('dev')), 'utf8'));
const resources = Object.values<Json>(template.Resources);
const functions = resources.filter(({ Type }) => Type === 'AWS::Lambda::Function');
/** Has a pattern for the Authorization headers that API Gateway passes to the authorizer. */
const authorizer = resources.find(({ Type }) => Type === 'AWS::ApiGateway::Authorizer');
const tokenPattern = new RegExp(authorizer.Properties.IdentityValidationExpression);

/** The names of the event files in the rows of docs/sam.md, in its order, because an event may depend on an earlier one. */
const page = read('docs/sam.md').replaceAll(/ +\|/g, ' |');
const events = [...page.matchAll(/^\| `events\/([\w-]+)\.json` \|/gm)].map(([, name = '']) => name);

/** Returns the construct of the function for which an event is: the authorizer, or the operation that its name begins with. */
function constructOf(event: string): string {
  return operations.find(({ functionName }) => event.startsWith(functionName))?.id ?? 'Authorize';
}

let service: Service;
let tokenId: string;
/** The function's result for each event file, or the message of its error. */
let results: ReadonlyMap<string, string | { readonly statusCode?: number; readonly body?: string }>;
beforeAll(async () => {
  service = await startService();
  const store = tokenStore(service.dynamodb, service.emulator.outputs[OUTPUTS.tokensTable] ?? '');
  const { text, record } = await issueToken(store, { name: 'sam' });
  tokenId = record.id;
  results = await invoke(text);
});
afterAll(() => service.stop());

/** Finds the bundles in the template as SAM does, and runs them in a process with the environment that SAM sets. */
async function invoke(token: string): Promise<typeof results> {
  const calls = events.map((name) => {
    const isNamed = ({ Metadata }: Json) =>
      Metadata['aws:cdk:path'].split('/')[1] === constructOf(name);
    const asset = functions.find(isNamed)?.Metadata['aws:asset:path'];
    const event = JSON.parse(read(`events/${name}.json`).replace('ACCESS_TOKEN', token));
    return { name, event, bundle: join(synthesizedAssembly(), asset, 'index.mjs') };
  });
  // The functions log to stdout, so their results are printed to stderr.
  const run = `
    const results = [];
    for (const { name, event, bundle } of ${JSON.stringify(calls)}) {
      const { handler } = await import(bundle);
      const result = handler(event, { getRemainingTimeInMillis: () => 10_000 });
      results.push([name, await result.catch((error) => error.message)]);
    }
    console.error(JSON.stringify(results));`;
  const tableNames = tables.map(({ id, variable }) => [
    variable,
    service.emulator.tableNames.find((name) => name.startsWith(id)),
  ]);
  const env = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'defaultkey',
    AWS_SECRET_ACCESS_KEY: 'defaultsecret',
    AWS_ENDPOINT_URL_DYNAMODB: service.emulator.dynamodbEndpoint,
    STAGE: 'dev',
    ...Object.fromEntries(tableNames),
  };
  const args = ['--input-type=module', '-e', run];
  const { stderr } = await promisify(execFile)(process.execPath, args, { env });
  return new Map(JSON.parse(stderr));
}

test('the template declares every variable in events/env.json, because SAM overrides only declared variables', () => {
  const { Parameters } = JSON.parse(read('events/env.json'));
  for (const { Properties } of functions) {
    const declared = Object.keys(Properties.Environment.Variables);
    expect(declared).toEqual(expect.arrayContaining(Object.keys(Parameters)));
  }
});

test.each(events)('docs/sam.md lists the result of events/%s.json', (name) => {
  const result = results.get(name) ?? '';
  if (typeof result === 'string') {
    expect(page).toContain(`| \`events/${name}.json\` | the error \`${result}\``);
  } else {
    const { statusCode, body = JSON.stringify(result).replace(tokenId, '…') } = result;
    const cells = [`events/${name}.json`, body].map((code) => `\`${code}\``);
    expect(page).toContain(`| ${cells.join(statusCode ? ` | ${statusCode} | ` : ' | ')} |`);
  }
});

test('API Gateway passes the token of authorize-unknown.json to the authorizer, but not that of authorize-malformed.json', () => {
  const isPassed = (file: string) =>
    tokenPattern.test(JSON.parse(read(`events/${file}`)).authorizationToken);
  expect(['authorize-unknown.json', 'authorize-malformed.json'].map(isPassed)).toEqual([
    true,
    false,
  ]);
});

const copy = samTemplate(template);
const copied = Object.entries(copy.Resources);

test('in SAM’s copy of the template, functions have this machine’s architecture, and the ids that docs/sam.md uses', () => {
  const architecture = arch() === 'arm64' ? 'arm64' : 'x86_64';
  const found = copied.filter(([, { Type }]) => Type === 'AWS::Lambda::Function');
  expect(
    found
      .map(([, { Properties, Metadata }]) => [Metadata?.SamResourceId, Properties?.Architectures])
      .sort(),
  ).toEqual(
    ['Authorize', ...operations.map(({ id }) => id)].sort().map((id) => [id, [architecture]]),
  );
});

test('SAM’s copy of the template has no construct path that SAM warns about, and otherwise equals the deployed template', () => {
  const comparable = ({ Resources }: typeof copy) =>
    Object.entries(Resources).map(([id, resource]) => {
      const { 'aws:cdk:path': _path, SamResourceId: _id, ...metadata } = resource.Metadata ?? {};
      const { Architectures: _architectures, ...properties } = resource.Properties ?? {};
      return [id, { ...resource, Metadata: metadata, Properties: properties }];
    });
  const paths = copied.flatMap(([, { Metadata }]) => Metadata?.['aws:cdk:path'] ?? []);
  expect(paths).toContain('PlantStore-dev/Tokens/Resource');
  expect(paths.filter((path) => path.split('/').length > 3)).toEqual([]);
  expect(comparable(copy)).toEqual(comparable(template));
  expect({ ...copy, Resources: undefined }).toEqual({ ...template, Resources: undefined });
});
