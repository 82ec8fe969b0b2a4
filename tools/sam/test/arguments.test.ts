import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { samArguments } from '../arguments.ts';

const project = join(import.meta.dirname, '../../..');

describe('samArguments', () => {
  test.each(['invoke', 'start-api'])('names the template for SAM and existing files for %s', (command) => {
    const {
      '--env-vars': variables = '',
      '--event': event,
      ...others
    } = optionsOf(samArguments(command, []));

    expect(others).toMatchObject({ '--template': 'cdk.out/sam.template.json' });
    expect(existsSync(join(project, variables))).toBe(true);
    expect(event === undefined || existsSync(join(project, event))).toBe(true);
  });

  test.each([
    { rest: [], functionId: 'CreatePlant', event: 'events/create-plant.json', options: [] },
    { rest: ['other.json'], functionId: 'CreatePlant', event: 'other.json', options: [] },
    { rest: ['other.json', 'Authorize'], functionId: 'Authorize', event: 'other.json', options: [] },
    { rest: ['-', 'Authorize'], functionId: 'Authorize', event: '-', options: [] },
    {
      rest: ['--skip-pull-image'],
      functionId: 'CreatePlant',
      event: 'events/create-plant.json',
      options: ['--skip-pull-image'],
    },
    {
      rest: ['other.json', 'Authorize', '-l', 'sam.log'],
      functionId: 'Authorize',
      event: 'other.json',
      options: ['-l', 'sam.log'],
    },
  ])('reads event, function and options of SAM from $rest', ({ rest, functionId, event, options }) => {
    const args = samArguments('invoke', rest);
    expect(args.slice(0, 3)).toEqual(['local', 'invoke', functionId]);
    expect(optionsOf(args)).toMatchObject({ '--event': event });
    expect(args.slice(args.indexOf('host.docker.internal:host-gateway') + 1)).toEqual(options);
  });

  test('passes options to start-api', () => {
    expect(samArguments('start-api', ['--skip-pull-image']).at(-1)).toBe('--skip-pull-image');
  });
});

function optionsOf(args: readonly string[]): Record<string, string | undefined> {
  return Object.fromEntries(
    args.flatMap((arg, index) => (arg.startsWith('--') ? [[arg, args[index + 1]]] : [])),
  );
}
