import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { synthesize } from '@plant-store/emulator';
import { generate, projectWithLargerContract } from '../support/changed-contract.ts';
import { codeBlocks } from '../support/code-blocks.ts';
import { copyProject, type EditedProject } from '../support/edited-project.ts';
import { type Service, startService } from '../support/service.ts';
import { UNTHROTTLED } from '../support/unthrottled.ts';

const stops: (() => Promise<void> | void)[] = [];
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

/** Starts the service of a copy. */
async function start(project: EditedProject): Promise<Service> {
  stops.push(project.remove);
  const assembly = join(project.folder, 'cdk.out');
  await synthesize({ project: project.folder, output: assembly, context: UNTHROTTLED });
  const service = await startService({ assembly });
  stops.push(service.stop, () => rmSync(assembly, { recursive: true }));
  return service;
}

/** Sends a body without checking the response, which has the contract of the copy. */
async function create({ emulator, token }: Service, body: string) {
  const response = await fetch(`${emulator.url}/plants`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body,
  });
  const text = await response.text();
  return response.status === 200
    ? { status: 200, body: text }
    : { status: response.status, message: JSON.parse(text).message };
}

describe('"Change a rule of the contract" in CONTRIBUTING.md', () => {
  let service: Service;
  beforeAll(async () => {
    const project = copyProject();
    const contract = JSON.parse(project.read('openapi.json'));
    const { Plant, NewPlant } = contract.components.schemas;
    const rules = codeBlocks('CONTRIBUTING.md').filter(({ language }) => language === 'json');
    for (const { code } of rules) {
      const rule = JSON.parse(`{${code}}`);
      Object.assign('id' in rule ? NewPlant.properties : Plant.properties, rule);
      for (const field of Object.keys(rule)) {
        NewPlant.properties[field] ??= { $ref: `#/components/schemas/Plant/properties/${field}` };
      }
    }
    project.save('openapi.json', JSON.stringify(contract, null, 2));
    // What "Add a field to NewPlant" says about the code.
    const operation = 'lambda/create-plant/create-plant.ts';
    project.edit(operation, '{ id, name, tag }: NewPlant', '{ id, name, tag, origin }: NewPlant');
    project.edit(
      operation,
      '{ name } : { name, tag };',
      '{ name } : { name, tag };\n  if (origin !== undefined) plant.origin = origin;',
    );
    generate(project);
    service = await start(project);
  });

  test.each([
    [`{"id":1,"name":"${'x'.repeat(100)}"}`, { status: 200, body: `{"name":"${'x'.repeat(100)}"}` }],
    [
      `{"id":2,"name":"${'🌱'.repeat(101)}"}`,
      { status: 400, message: 'name must have at most 100 characters' },
    ],
    ['{"id":0,"name":"Oak"}', { status: 400, message: 'id must be at least 1' }],
    ['{"id":3,"name":"Oak","origin":"Kew"}', { status: 200, body: '{"name":"Oak","origin":"Kew"}' }],
    ['{"id":4,"name":"Oak","origin":5}', { status: 400, message: 'origin must be a string' }],
  ])('decides about %s', async (body, expected) => {
    await expect(create(service, body)).resolves.toEqual(expected);
  });
});

describe('a larger contract', () => {
  let service: Service;
  beforeAll(async () => {
    service = await start(projectWithLargerContract());
  });
  const withField = (field: string) =>
    `{"id":9223372036854775807,"name":"Oak"${field === '' ? '' : `,${field}`}}`;

  test.each([
    '',
    '"owner":9007199254740993',
    '"planted":"2024-02-29","watered":"2024-06-01T12:00:00Z","link":"https://example.com/a"',
    '"batch":"2eb8aa08-aa98-11ea-b4aa-73b441d16380","contact":"a@example.com","height":3000',
    '"price":19.99,"currency":{"code":"XTS"},"kind":"plant","code":"AB-1","light":"sun","pot":"clay"',
    '"lines":[{"sku":9223372036854775806,"count":1},{"sku":9223372036854775807}],"codes":["a",true,5],"x-a":"12345"',
    '"soil":{"sku":1},"part":{"sku":1,"part":{"sku":2}},"pot":1',
  ])('accepts %s', async (fields) => {
    await expect(create(service, withField(fields))).resolves.toEqual({
      status: 200,
      body: '{"name":"Oak"}',
    });
  });

  test.each([
    ['"id":9007199254740992', 'id must be at least 9007199254740993'],
    ['"name":"O"', 'name must have at least 2 characters'],
    ['"tag":"a"', 'owner is required if tag is given'],
    ['"tag":5,"owner":1', 'tag must be a string or null'],
    ['"owner":0', 'owner must be greater than 0'],
    ['"planted":"2023-02-29"', 'planted must have the format date'],
    ['"watered":"now"', 'watered must have the format date-time'],
    ['"batch":"1"', 'batch must have the format uuid'],
    ['"contact":"a"', 'contact must have the format email'],
    ['"link":"/a"', 'link must have the format uri'],
    ['"height":3001', 'height must be at most 3000'],
    ['"price":1.001,"currency":"EUR"', 'price must be a multiple of 0.01'],
    ['"price":1', 'currency is required'],
    ['"currency":"GBP"', 'currency must be one of "EUR", "USD", {"code":"XTS"}'],
    ['"kind":"tree"', 'kind must be "plant"'],
    ['"code":"A-1"', 'code must match the pattern ^[A-Z]{2}-\\d+$'],
    [
      '"light":"moon"',
      'light must be an integer; light must be one of "sun", "shade"; light must match exactly one schema of oneOf',
    ],
    [
      '"pot":[]',
      'pot must not match the schema of not; pot must be a string; pot must match the schema of else',
    ],
    ['"codes":["a",1]', 'codes.1 must be a boolean'],
    [
      '"lines":[{"sku":1.5,"count":1}]',
      'lines.0.sku must be an integer from -9223372036854775808 to 9223372036854775807',
    ],
    ['"lines":[{"sku":1,"count":1},{"sku":1.0,"count":1}]', 'lines must have items that all differ'],
    ['"lines":[{"sku":1}]', 'lines must have at least 1 and at most 3 of the items that contains describes'],
    ['"part":{"sku":1,"part":{}}', 'part.part.sku is required'],
    ['"unknown":1', 'unknown is not allowed'],
    ['"x-a":"123456"', 'x-a must have at most 5 characters'],
  ])('rejects %s: %s', async (fields, message) => {
    await expect(create(service, withField(fields))).resolves.toEqual({ status: 400, message });
  });
});
