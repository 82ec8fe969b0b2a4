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

// tools/generate/test/in-process/validator.test.ts covers the message of each keyword.
test.each([
  [
    'accepts every field, and returns an int64 with every digit',
    '"owner":9223372036854775806,"planted":"2024-02-29","watered":"2024-06-01T12:00:00Z","batch":"2eb8aa08-aa98-11ea-b4aa-73b441d16380","contact":"a@example.com","height":3000,"price":20,"currency":978,"kind":"plant","code":"AB-1","light":"sun","lines":[{"sku":9223372036854775807}],"soil":{"sku":1},"part":{"sku":1,"count":2}',
    '{"name":"Oak","owner":9223372036854775806}',
  ],
  [
    'names each wrong field',
    '"planted":"2023-02-29","price":1,"lines":[{"sku":1.5}],"part":{"sku":1},"unknown":1',
    '400 planted must have the format date; price must be a multiple of 5; lines.0.sku must be an integer from -9223372036854775808 to 9223372036854775807; part.count is required; unknown is not allowed',
  ],
])('POST /plants with a larger contract %s', async (_title, fields, expected) => {
  await expect(create(fields, '5')).resolves.toBe(expected);
});
