import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  ACCESS_TOKEN_PATTERN,
  mintAccessToken,
  UNKNOWN_ACCESS_TOKEN,
} from '../../../lambda/shared/tokens/access-token.ts';
import { PROJECT } from '../../../test/support/pages/code-blocks.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

const SECRETS = {
  'access token': new RegExp(`(?!${UNKNOWN_ACCESS_TOKEN})${ACCESS_TOKEN_PATTERN}`),
  'AWS key id': /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  'GitHub token': /\b(?:gh[oprsu]_|github_pat_)\w{20}/,
  'private key': /-----BEGIN [A-Z ]*PRIVATE KEY/,
};

test('no file in the repository contains a secret', () => {
  expect(filesWithSecrets(PROJECT)).toEqual([]);
});

test('a file with a secret is reported with the kind of the secret, but without the secret', () => {
  const folder = temporaryFolder();
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  const planted = {
    'aws.txt': `AKIA${'A'.repeat(16)}`,
    'classic.txt': `ghp_${'a'.repeat(36)}`,
    'fine-grained.txt': `github_pat_${'a'.repeat(82)}`,
    'harmless.txt': UNKNOWN_ACCESS_TOKEN,
    'key.pem': ['-----BEGIN', 'PRIVATE KEY-----'].join(' '),
    'rsa.pem': ['-----BEGIN RSA', 'PRIVATE KEY-----'].join(' '),
    'token.txt': mintAccessToken().text,
  };
  for (const [file, secret] of Object.entries(planted)) {
    writeFileSync(join(folder, file), `first line\nsecret = "${secret}"\n`);
  }

  expect(filesWithSecrets(folder)).toEqual([
    'aws.txt: AWS key id',
    'classic.txt: GitHub token',
    'fine-grained.txt: GitHub token',
    'key.pem: private key',
    'rsa.pem: private key',
    'token.txt: access token',
  ]);
});

/** Searches every file that Git tracks or would add. */
function filesWithSecrets(folder: string): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
    .split('\0')
    .filter((file) => statSync(join(folder, file), { throwIfNoEntry: false })?.isFile());
  return files.flatMap((file) => {
    const content = readFileSync(join(folder, file), 'latin1');
    return Object.entries(SECRETS)
      .filter(([, pattern]) => pattern.test(content))
      .map(([kind]) => `${file}: ${kind}`);
  });
}
