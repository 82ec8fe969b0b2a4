import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { changedAssembly } from '../support/changed-assembly.ts';
import { buildCreatePlant, projectWithLargerContract } from '../support/changed-contract.ts';
import { codeBlocks } from '../support/code-blocks.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
const stops: (() => Promise<void> | void)[] = [];
beforeAll(async () => {
  const rules = codeBlocks('CONTRIBUTING.md').filter(({ language }) => language === 'json');
  const project = projectWithLargerContract((newPlant) => {
    for (const { code } of rules) Object.assign(newPlant.properties, JSON.parse(`{${code}}`));
  });
  stops.push(project.remove);
  // Makes the handler return the added fields, so that no other code needs to change.
  const call = 'await createPlant(body, observePut(put, observation))';
  project.edit(
    'lambda/create-plant/handler.ts',
    call,
    `{ ...(${call}), origin: body.origin, owner: body.owner }`,
  );
  const assembly = await changedAssembly((find, folder) => {
    for (const { Metadata } of find('AWS::Lambda::Function', 'CreatePlant')) {
      buildCreatePlant(project, join(folder, Metadata['aws:asset:path']));
    }
  });
  stops.push(assembly.remove);
  service = await startService({ assembly: assembly.folder });
  stops.push(service.stop);
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

/** Sends a body. Does not compare the response with openapi.json, because the response follows the changed contract. */
async function create(fields: string, id = '9223372036854775807') {
  const { emulator, token } = service;
  const response = await fetch(`${emulator.url}/plants`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: `{"id":${id},"name":"Oak",${fields}}`,
  });
  const text = await response.text();
  return response.status === 200 ? text : `${response.status} ${JSON.parse(text).message}`;
}

describe('"Change a rule of the contract" in CONTRIBUTING.md', () => {
  test.each([
    [1, `"name":"${'x'.repeat(100)}"`, `{"name":"${'x'.repeat(100)}"}`],
    [2, `"name":"${'🌱'.repeat(101)}"`, '400 name must have at most 100 characters'],
    [0, '"name":"Oak"', '400 id must be at least 1'],
    [3, '"origin":"Kew"', '{"name":"Oak","origin":"Kew"}'],
    [4, '"origin":5', '400 origin must be a string'],
  ])('given the id %d and the fields %s, the response is %s', async (id, fields, expected) => {
    await expect(create(fields, `${id}`)).resolves.toBe(expected);
  });
});

describe('POST /plants with a larger contract', () => {
  test('returns an int64 with every digit intact', async () => {
    await expect(create('"owner":9223372036854775806', '5')).resolves.toBe(
      '{"name":"Oak","owner":9223372036854775806}',
    );
  });

  test.each([
    '"planted":"2024-02-29","watered":"2024-06-01T12:00:00Z"',
    '"batch":"2eb8aa08-aa98-11ea-b4aa-73b441d16380","contact":"a@example.com","height":3000',
    '"price":20,"currency":978,"kind":"plant","code":"AB-1","light":"sun"',
    '"lines":[{"sku":9223372036854775806,"count":1},{"sku":9223372036854775807}]',
    '"soil":{"sku":1},"part":{"sku":1,"count":2}',
  ])('accepts %s', async (fields) => {
    await expect(create(fields)).resolves.toBe('{"name":"Oak"}');
  });

  test.each([
    ['"tag":5,"owner":9007199254740993', 'tag must be a string or null'],
    ['"owner":9007199254740992', 'owner must be greater than 9007199254740992'],
    ['"planted":"2023-02-29"', 'planted must have the format date'],
    ['"watered":"now"', 'watered must have the format date-time'],
    ['"batch":"1"', 'batch must have the format uuid'],
    ['"contact":"a"', 'contact must have the format email'],
    ['"height":3001', 'height must be at most 3000'],
    ['"price":1', 'price must be a multiple of 5'],
    ['"currency":"GBP"', 'currency must be one of "EUR", "USD", 978'],
    ['"kind":"tree"', 'kind must be "plant"'],
    ['"code":"A-1"', 'code must match the pattern ^[A-Z]{2}-\\d+$'],
    [
      '"light":"moon"',
      'light must be an integer; light must be one of "sun", "shade"; light must match exactly one schema under "oneOf"',
    ],
    [
      '"lines":[{"sku":1.5,"count":1}]',
      'lines.0.sku must be an integer from -9223372036854775808 to 9223372036854775807',
    ],
    ['"part":{"sku":1}', 'part.count is required'],
    ['"unknown":1', 'unknown is not allowed'],
  ])('rejects %s: %s', async (fields, message) => {
    await expect(create(fields)).resolves.toBe(`400 ${message}`);
  });
});
