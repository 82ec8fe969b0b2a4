import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { listOperations } from '../../lib/operations.ts';
import { tableSpecs } from '../../lib/tables.ts';
import { startFunction } from '../bundle/running-function.ts';
import { synthesizedAssembly, TEMPLATE_FILE } from '../support/assembly/synthesized-assembly.ts';
import type { Json } from '../support/assembly/template-resources.ts';
import { read } from '../support/pages/code-blocks.ts';
import { runWithStubs, scripts } from '../support/pages/page-commands.ts';
import { type Service, startTestService } from '../support/service/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const templatePath = join(synthesizedAssembly(), TEMPLATE_FILE);
const template = JSON.parse(readFileSync(templatePath, 'utf8'));
const commands = scripts
  .filter(({ at }) => at.startsWith('docs/sam.md:'))
  .flatMap((script) => runWithStubs(script).commands);
const environments = Object.values<Json>(template.Resources)
  .filter(({ Type }) => Type === 'AWS::Lambda::Function')
  .map(({ Properties }) => Properties.Environment.Variables);

let service: Service;
beforeAll(async () => {
  service = await startTestService();
});

test('docs/sam.md invokes a function of the template, and contains the result', async () => {
  const sam = commands.find(({ program }) => program === 'sam')?.args;
  const [, , id = '', , event = ''] = sam ?? [];
  expect(sam).toEqual(['local', 'invoke', id, '--event', event]);
  expect(template.Resources[id]).toMatchObject({ Type: 'AWS::Lambda::Function' });
  const operation = listOperations().find((each) => id.startsWith(each.id));
  if (operation === undefined) throw new Error(`${id} does not begin with an operation's id`);
  const variables = Object.assign({}, ...environments);
  const running = await startFunction(operation.functionName, {
    AWS_ENDPOINT_URL_DYNAMODB: service.emulator.dynamodbEndpoint,
    ...Object.fromEntries(tableSpecs.map(({ variable }) => [variable, variables[variable].Ref])),
  });
  const { result = {}, error } = await running.invoke(JSON.parse(read(event)));
  expect(error).toBeUndefined();
  const { statusCode, body } = JSON.parse(JSON.stringify(result));
  expect(read('docs/sam.md')).toContain(
    `the \`statusCode\` ${statusCode} and the \`body\` \`${body}\``,
  );
});

test('the template declares every variable of SAM’s env file, because SAM overrides no others', () => {
  const { Parameters } = JSON.parse(read(configured('env_vars')));
  for (const environment of environments)
    expect(Object.keys(environment)).toEqual(expect.arrayContaining(Object.keys(Parameters)));
});

test('the first sed command in docs/sam.md changes only the architecture in samconfig.toml’s template', () => {
  const cwd = temporaryFolder();
  const copy = join(cwd, configured('template_file'));
  cpSync(templatePath, copy);
  const sed = commands.find(({ program }) => program === 'sed');
  spawnSync('sed', sed?.args ?? [], { cwd });
  const intel = readFileSync(templatePath, 'utf8').replaceAll('"arm64"', '"x86_64"');
  expect(copy).toBe(join(cwd, 'cdk.out', TEMPLATE_FILE));
  expect(readFileSync(copy, 'utf8')).toBe(intel);
  expect(intel).not.toBe(readFileSync(templatePath, 'utf8'));
});

/** Returns the value of an option in samconfig.toml. */
function configured(option: string): string {
  const config = read('samconfig.toml');
  return new RegExp(`^${option} = ["'](.*)["']$`, 'm').exec(config)?.[1] ?? '';
}
