import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../support/code-blocks.ts';

test.each(['npm ci --omit=dev && npm start', 'npm ci && npm start', 'npm ci && npm test'])(
  'the README has the command line %s',
  (line) => {
    expect(readFileSync(join(PROJECT, 'README.md'), 'utf8').split('\n')).toContain(line);
  },
);
