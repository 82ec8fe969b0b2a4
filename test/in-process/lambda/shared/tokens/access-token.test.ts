import { describe, expect, test } from '@jest/globals';
import {
  ACCESS_TOKEN_PATTERN,
  asTokenRecord,
  EXPIRES_AT,
  isTokenRecord,
  mintAccessToken,
  parseAccessToken,
  TOKEN_ID,
} from '../../../../../lambda/shared/tokens/access-token.ts';

const NOW = 1_800_000_000;
const { id, hash } = mintAccessToken();
const record = { id, client: 'ci', hash, issuedAt: NOW - 1 };

describe('an access token', () => {
  test('has a searchable prefix, a public id and 256 secret bits, and only characters that RFC 6750 allows', () => {
    const { token, ...rest } = mintAccessToken();
    expect(parseAccessToken(token)).toEqual(rest);
    expect([rest.id === id, rest.hash === hash]).toEqual([false, false]);
    expect(token).toMatch(new RegExp(`^${ACCESS_TOKEN_PATTERN}$`));
    const [prefix, publicId, secret = ''] = token.split('_');
    expect([prefix, publicId]).toEqual(['plantstore', rest.id]);
    expect(publicId).toMatch(TOKEN_ID);
    for (const other of [token, `${publicId}0`, '']) expect(other).not.toMatch(TOKEN_ID);
    expect(Buffer.from(secret, 'hex')).toHaveLength(32);
    expect(token).toMatch(/^[A-Za-z0-9._~+/-]+=*$/);
  });
});

const HASH = 'a'.repeat(64);

test.each([
  ['no id', { id: undefined }],
  ['no hash', { hash: undefined }],
  ['an array as the hash', { hash: [HASH] }],
  ['a hash of 65 digits that begins with a valid hash', { hash: `${HASH}0` }],
  ['a hash of 65 digits that ends with a valid hash', { hash: `0${HASH}` }],
  ['an uppercase hash', { hash: HASH.toUpperCase() }],
  ['a number as the client', { client: 5 }],
  ['a string as the issue time', { issuedAt: '1' }],
  ['an issue time that is too late for a Date', { issuedAt: 1e13 }],
  ['a string as the expiration time', { [EXPIRES_AT]: 'tomorrow' }],
  ['an expiration time that is too early for a Date', { expiresAt: -1e13 }],
])(
  'asTokenRecord throws an error that reveals only the item’s id if the item has %s',
  (_, fields) => {
    const item: Record<string, unknown> = { ...record, hash: HASH, ...fields };
    const message = `the item ${item.id} in the tokens table is not a token record`;
    expect(() => asTokenRecord(item)).toThrow(new Error(message));
    expect(isTokenRecord(item)).toBe(false);
  },
);

test.each([
  ['without an expiration time', {}],
  ['with an expiration time', { expiresAt: NOW }],
])('asTokenRecord does not change a token record %s', (_, fields) => {
  const item = { ...record, ...fields };
  expect(asTokenRecord(item)).toBe(item);
});
