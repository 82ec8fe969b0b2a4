import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { validators } from '../../validator.ts';

test('the generated files are those that openapi.json now gives', async () => {
  const project = join(import.meta.dirname, '../../../..');
  const generate = promisify(execFile)(process.execPath, ['bin/generate.ts', '--check'], {
    cwd: project,
  });
  await expect(generate).resolves.toMatchObject({ stderr: '' });
});

describe('an operation', () => {
  const getPot = { operationId: 'getPot' };
  const replacePot = (schema: { $ref?: string }) => ({
    operationId: 'replacePot',
    requestBody: { content: { 'application/json': { schema } } },
  });
  const components = {
    schemas: { Pot: { type: 'object', required: ['size'], properties: { size: { type: 'string' } } } },
  };

  test('gets a validator of its body, and none if it has no body', () => {
    const put = replacePot({ $ref: '#/components/schemas/Pot' });
    const files = validators({ paths: { '/pots/{id}': { get: getPot, put } }, components });
    expect(Object.keys(files)).toEqual(['validate-replace-pot-event.js', 'validate-replace-pot-event.d.ts']);
    expect(files['validate-replace-pot-event.d.ts']).toContain('export default validateReplacePotEvent;');

    const calls = [{ size: 'L' }, {}].map((body) => `validate(${JSON.stringify({ body })})`);
    const printed = execFileSync(process.execPath, ['--input-type=module'], {
      input: `${files['validate-replace-pot-event.js']}\nconsole.log(${calls.join(', ')})`,
      encoding: 'utf8',
    });
    expect(printed).toBe('true false\n');
  });

  test('is rejected if its body is not a schema of the components', () => {
    const paths = { '/pots/{id}': { put: replacePot({}) } };
    expect(() => validators({ paths, components })).toThrow(
      'the body of replacePot must be a $ref to a schema',
    );
  });
});
