import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { copyProject } from '../../../../test/support/edited-project.ts';
import { parseContract } from '../../contract.ts';
import { validators } from '../../validator.ts';

test('the generated files are those that openapi.json now gives', async () => {
  const project = join(import.meta.dirname, '../../../..');
  const generate = promisify(execFile)(process.execPath, ['bin/generate.ts', '--check'], {
    cwd: project,
  });
  await expect(generate).resolves.toMatchObject({ stderr: '' });
});

describe('npm run generate, given an openapi.json that it refuses,', () => {
  const project = copyProject();
  afterAll(project.remove);
  const contract = project.read('openapi.json');
  const generated = 'lambda/generated/validate-create-plant-event.js';

  test.each([
    [
      '"#/components/schemas/Plant/properties/tag"',
      '"#/components/schemas/Plant/properties/tags"',
      /at \/components\/schemas\/NewPlant\/properties\/tag\/\$ref: .* leads nowhere; fix it/,
    ],
    [
      '"schema": { "type": "integer", "minimum": 0 }',
      '"schema": { "type": "int" }',
      /at \/components\/headers\/RetryAfter\/schema\/type: "int" must be one of/,
    ],
    [
      '"format": "int64",',
      '"format": "int64", "nullable": true,',
      /at \/components\/schemas\/NewPlant\/properties\/id\/nullable: .* write type/,
    ],
    ['"paths": {', '"paths": {,', /is not JSON/],
    [
      '"operationId": "createPlant"',
      '"operationId": 5',
      /at \/paths\/~1plants\/post: has no operationId; add one/,
    ],
    ['"openapi": "3.1.1"', '"openapi": "4"', /at its root: no types can be generated/],
  ])('prints one line with the place, and writes nothing: %s becomes %s', async (from, to, message) => {
    project.save('openapi.json', contract.replace(from, to));
    project.save(generated, 'as it was');
    const run = promisify(execFile)(process.execPath, ['bin/generate.ts'], { cwd: project.folder });
    await expect(run).rejects.toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^openapi\\.json.*${message.source}.*\\n$`)),
    });
    expect(project.read(generated)).toBe('as it was');
  });
});

describe('an operation', () => {
  const contract = (requestBody: string) =>
    parseContract(
      `{"paths":{"/pots/{id}":{"parameters":[],"get":{"operationId":"getPot"},"put":{"operationId":"replacePot","requestBody":${requestBody}}}},"components":{"schemas":{"Pot":{"type":"object","required":["size"]}},"requestBodies":{"Pot":{"content":{"application/json":{"schema":{"required":["size"]}}}}}}}`,
    );

  test.each([
    '{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Pot"}}}}',
    '{"$ref":"#/components/requestBodies/Pot"}',
  ])('gets a validator of its body, and none if it has no body: %s', (requestBody) => {
    const files = validators(contract(requestBody));
    expect(Object.keys(files)).toEqual(['validate-replace-pot-event.js', 'validate-replace-pot-event.d.ts']);
    expect(files['validate-replace-pot-event.d.ts']).toContain('export default validateReplacePotEvent;');

    const calls = [{ size: 'L' }, {}].map((body) => `validate(${JSON.stringify({ body })})`);
    const printed = execFileSync(process.execPath, ['--input-type=module'], {
      input: `${files['validate-replace-pot-event.js']}\nconsole.log(String([${calls.join(', ')}]))`,
      encoding: 'utf8',
    });
    expect(printed).toBe('true,false\n');
  });

  test('is refused if its body has no schema', () => {
    expect(() => validators(contract('{"content":{"text/plain":{}}}'))).toThrow(
      'openapi.json, at /paths/~1pots~1{id}/put/requestBody/content/application~1json/schema: has no schema; add one',
    );
  });
});
