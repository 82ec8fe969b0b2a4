import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ACCESS_TOKEN_PATTERN } from '../../../lambda/shared/tokens/access-token.ts';
import { documents, PROJECT } from '../../../test/support/code-blocks.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/access-tokens.md'), 'utf8');

test('access-tokens.md contains the pattern that finds a leaked token', () => {
  expect(page).toContain(ACCESS_TOKEN_PATTERN);
});

test('documented commands whose output is captured run npm with --silent', () => {
  const commands = documents.flatMap((document) => {
    const page = readFileSync(join(PROJECT, document), 'utf8');
    return page.match(/(?:\$\()?npm run [^`\n]*\btoken -- [^`\n]*/g) ?? [];
  });
  const caught = commands.filter((command) => /--json|\$\(| > /.test(command));
  expect(caught.length).toBeGreaterThan(0);
  for (const command of caught) expect(command).toContain('npm run --silent token -- ');
});
