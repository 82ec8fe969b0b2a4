import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ACCESS_TOKEN_PATTERN } from '../../../lambda/shared/tokens/access-token.ts';
import { documents, PROJECT } from '../../../test/support/code-blocks.ts';
import { stackTemplate } from '../../../test/template/stack-template.ts';
import { run } from '../cli.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/access-tokens.md'), 'utf8');

test('access-tokens.md contains the pattern that finds a leaked token', () => {
  expect(page).toContain(ACCESS_TOKEN_PATTERN);
});

test.each(['dev', 'prod'])('access-tokens.md states the authorizer cache TTL of the stage %s', (stage) => {
  const [authorizer] = Object.values(stackTemplate({ stage }).findResources('AWS::ApiGateway::Authorizer'));
  expect(page).toContain(`for ${authorizer?.Properties.AuthorizerResultTtlInSeconds} seconds`);
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

test('access-tokens.md states the same defaults as --help', async () => {
  expect(page).toContain('for 90 days');
  expect((await run(['issue', '--help'], {})).stdout).toContain('never (default 90d)');
  expect(page).toMatch(/overlap \(24 hours by default\)/);
  expect((await run(['rotate', '--help'], {})).stdout).toContain('7d (default 24h)');
});
