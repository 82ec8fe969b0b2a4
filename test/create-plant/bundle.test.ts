import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { exampleEvent, type RunningFunction, startFunction } from '../bundle/running-function.ts';
import { buildFunctions, builtFunction } from '../support/assembly/synthesized-assembly.ts';
import { codeBlocks } from '../support/pages/code-blocks.ts';
import { copyProject } from '../support/project/edited-project.ts';
import { startScriptedServer } from '../support/servers/scripted-server.ts';

let running: RunningFunction;

/** Adds the rules that CONTRIBUTING.md shows to the contract. */
beforeAll(async () => {
  const project = copyProject();
  const contract = JSON.parse(project.read('openapi.json'));
  const { schemas } = contract.components;
  const rules = codeBlocks('CONTRIBUTING.md').filter(({ language }) => language === 'json');
  for (const { code } of rules) {
    const isSchema = /^"[A-Z]/.test(code);
    Object.assign(isSchema ? schemas : schemas.NewPlant.properties, JSON.parse(`{${code}}`));
  }
  project.save('openapi.json', JSON.stringify(contract));
  execFileSync(process.execPath, ['bin/generate.ts'], { cwd: project.folder });
  // Makes the handler return the added field, so that no other code needs to change.
  const returned = '{ ...plant, origin: body.origin }';
  project.edit('lambda/create-plant/handler.ts', '(200, plant)', `(200, ${returned})`);
  buildFunctions(project.folder, ['create-plant'], project.folder);

  const dynamodb = await startScriptedServer({ status: 200, body: '{}' });
  const environment = { AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url };
  running = await startFunction('create-plant', environment, join(project.folder, 'create-plant'));
});

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
    await expect(create(`{"id":${id},"name":"Oak",${fields}}`)).resolves.toBe(expected);
  });
});
