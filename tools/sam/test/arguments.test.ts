import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { samArguments } from '../arguments.ts';

const project = join(import.meta.dirname, '../../..');

const defaults = ['CreatePlant', 'events/create-plant.json'];
test.each([
  { rest: [], expected: defaults, options: [] },
  { rest: ['-', 'Authorize'], expected: ['Authorize', '-'], options: [] },
  { rest: ['--skip-pull-image'], expected: defaults, options: ['--skip-pull-image'] },
  {
    rest: ['other.json', 'Authorize', '-l', 'sam.log'],
    expected: ['Authorize', 'other.json'],
    options: ['-l', 'sam.log'],
  },
])('sam:invoke reads event, function and options of SAM from $rest', ({ rest, expected, options }) => {
  const [local, verb, functionId, , event, ...others] = samArguments('invoke', rest);
  expect([local, verb, functionId, event]).toEqual(['local', 'invoke', ...expected]);
  expect(others.slice(others.indexOf('host.docker.internal:host-gateway') + 1)).toEqual(options);
});

test('sam:start-api names the template for SAM and a file of variables that exists, and passes options', () => {
  const args = samArguments('start-api', ['--skip-pull-image']);
  const optionOf = (option: string) => args[args.indexOf(option) + 1] ?? '';
  expect(optionOf('--template')).toBe('cdk.out/sam.template.json');
  expect(existsSync(join(project, optionOf('--env-vars')))).toBe(true);
  expect(existsSync(join(project, defaults[1] ?? ''))).toBe(true);
  expect(args.at(-1)).toBe('--skip-pull-image');
});
