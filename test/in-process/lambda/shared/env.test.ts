import { expect, test } from '@jest/globals';
import { requiredEnv } from '../../../../lambda/shared/env.ts';

test('requiredEnv returns the value of a variable', () => {
  process.env.SOME_TABLE = 'some-table';
  expect(requiredEnv('SOME_TABLE')).toBe('some-table');
});

test.each([undefined, ''])(
  'requiredEnv throws an error that names the variable if its value is %p',
  (value) => {
    delete process.env.SOME_TABLE;
    if (value !== undefined) process.env.SOME_TABLE = value;
    expect(() => requiredEnv('SOME_TABLE')).toThrow(
      'the environment variable SOME_TABLE is not set',
    );
  },
);
