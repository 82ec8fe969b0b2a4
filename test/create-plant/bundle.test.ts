import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  exampleEvent,
  expectBounded,
  type FunctionState,
  type RunningFunction,
  STRUCTURE_BYTES,
  startFunction,
} from '../bundle/running-function.ts';
import { buildFunctions, builtFunction } from '../support/assembly/synthesized-assembly.ts';
import { codeBlocks } from '../support/pages/code-blocks.ts';
import { copyProject } from '../support/project/edited-project.ts';
import { startScriptedServer } from '../support/servers/scripted-server.ts';

let running: RunningFunction;
let coldStart: FunctionState;
const stops: (() => Promise<void> | void)[] = [];

/**
 * Replaces NewPlant with the schema in larger-contract.json, which has every supported keyword at several depths, and
 * with the rules that CONTRIBUTING.md shows.
 */
beforeAll(async () => {
  const project = copyProject();
  const contract = JSON.parse(project.read('openapi.json'));
  const larger = JSON.parse(
    readFileSync(join(import.meta.dirname, 'larger-contract.json'), 'utf8'),
  );
  const rules = codeBlocks('CONTRIBUTING.md').filter(({ language }) => language === 'json');
  for (const { code } of rules) {
    const isSchema = /^"[A-Z]/.test(code);
    Object.assign(isSchema ? larger : larger.NewPlant.properties, JSON.parse(`{${code}}`));
  }
  Object.assign(contract.components.schemas, larger);
  project.save('openapi.json', JSON.stringify(contract));
  execFileSync(process.execPath, ['bin/generate.ts'], { cwd: project.folder });
  // Makes the handler return the added field, so that no other code needs to change.
  const returned = '{ ...plant, origin: body.origin }';
  project.edit('lambda/create-plant/handler.ts', '(200, plant)', `(200, ${returned})`);
  buildFunctions(project.folder, ['create-plant'], project.folder);

  const dynamodb = await startScriptedServer({ status: 200, body: '{}' });
  stops.push(dynamodb.stop);
  const environment = { AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url };
  running = await startFunction('create-plant', environment, join(project.folder, 'create-plant'));
  stops.push(running.stop);
  coldStart = await running.state();
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

const bodyWith = (fields: string, id = '9223372036854775807') =>
  `{"id":${id},"name":"Oak",${fields}}`;

async function create(body: string): Promise<string> {
  const { statusCode, body: text } = Object((await running.invoke(exampleEvent(body))).result);
  return statusCode === 200 ? text : `${statusCode} ${JSON.parse(text).message}`;
}

// Each KB makes a cold start longer. If the bundle grows, find out which package it contains now.
test('the bundle of create-plant has at most 198 KB', () => {
  const { size } = statSync(join(builtFunction('create-plant'), 'function.cjs'));
  expect(size).toBeLessThanOrEqual(198_000);
});

describe('"Change a rule of the contract" in CONTRIBUTING.md', () => {
  test.each([
    [1, `"name":"${'x'.repeat(100)}"`, `{"name":"${'x'.repeat(100)}"}`],
    [2, `"name":"${'🌱'.repeat(101)}"`, '400 name must NOT have more than 100 characters'],
    [0, '"name":"Oak"', '400 id must be >= 1'],
    [3, '"origin":"Kew"', '{"name":"Oak","origin":"Kew"}'],
    [4, '"origin":5', '400 origin must be string'],
  ])('given the id %d and the fields %s, the response is %s', async (id, fields, expected) => {
    await expect(create(bodyWith(fields, `${id}`))).resolves.toBe(expected);
  });
});

describe('create-plant with a larger contract, given a large body,', () => {
  const list = (item: string) =>
    `[${`${item},`.repeat(STRUCTURE_BYTES / (item.length + 1) - 20)}${item}]`;
  const strings = ['code', 'contact', 'planted', 'watered', 'batch', 'currency', 'light'];
  const inEveryString = (text: string) => {
    const long = text.repeat(2_400_000 / strings.length / text.length);
    return strings.map((name) => `"${name}":"${long} "`).join(',');
  };

  // test/bundle/limits.test.ts explains the limits, and has the bodies that cost every operation the same.
  test.each([
    [3, 'items with integers above 2^53', `"lines":${list('{"sku":9007199254740993}')}`],
    [3, 'letters in strings with a format or pattern', inEveryString('a')],
    [3, 'parts in strings with a format or pattern', inEveryString('a@a.')],
    [3, 'digits in strings with a format or pattern', inEveryString('1-')],
  ])(
    'uses less than %d times the CPU time of a cold start, and 200 MB of memory, for many %s',
    async (coldStarts, _what, fields) => {
      await expectBounded(running, coldStart, coldStarts, bodyWith(fields));
    },
  );
});
