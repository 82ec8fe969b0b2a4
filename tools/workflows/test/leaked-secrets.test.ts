import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  ACCESS_TOKEN_PATTERN,
  mintAccessToken,
  UNKNOWN_ACCESS_TOKEN,
} from '../../../lambda/shared/tokens/access-token.ts';
import { PROJECT } from '../../../test/support/pages/code-blocks.ts';

const SECRETS = {
  'access token': new RegExp(`(?!${UNKNOWN_ACCESS_TOKEN})${ACCESS_TOKEN_PATTERN}`),
  'AWS key id': /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  'GitHub token': /\b(?:gh[oprsu]_|github_pat_)\w{20}/,
  'private key': /-----BEGIN [A-Z ]*PRIVATE KEY/,
};

/** The kinds of secrets in a text. */
const secretsIn = (text: string) =>
  Object.entries(SECRETS).flatMap(([kind, pattern]) => (pattern.test(text) ? [kind] : []));

test('no file that Git tracks or would add contains a secret', () => {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const found = execFileSync('git', args, { cwd: PROJECT, encoding: 'utf8' })
    .split('\0')
    .filter((file) => statSync(join(PROJECT, file), { throwIfNoEntry: false })?.isFile())
    .map((file) => ({ file, secrets: secretsIn(readFileSync(join(PROJECT, file), 'latin1')) }))
    .filter(({ secrets }) => secrets.length > 0);
  expect(found).toEqual([]);
});

test.each([
  ['AWS key id', `AKIA${'A'.repeat(16)}`],
  ['GitHub token', `ghp_${'a'.repeat(36)}`],
  ['GitHub token', `github_pat_${'a'.repeat(82)}`],
  ['private key', ['-----BEGIN', 'PRIVATE KEY-----'].join(' ')],
  ['private key', ['-----BEGIN RSA', 'PRIVATE KEY-----'].join(' ')],
  ['access token', mintAccessToken().text],
])('a line with a secret is recognized: %s', (kind, secret) => {
  expect(secretsIn(`first line\nsecret = "${secret}"\n`)).toEqual([kind]);
});

test('the access token in the pages, which no service knows, is not a secret', () => {
  expect(secretsIn(UNKNOWN_ACCESS_TOKEN)).toEqual([]);
});
