import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { checkToken } from '../../../../lambda/authorize/check-token.ts';
import { createHandler } from '../../../../lambda/authorize/handler.ts';
import {
  ACCESS_TOKEN_PATTERN,
  asTokenRecord,
  EXPIRES_AT,
  isTokenRecord,
  mintAccessToken,
  parseAccessToken,
  TOKEN_ID,
  type TokenRecord,
} from '../../../../lambda/shared/tokens/access-token.ts';
import { bearerToken, validationExpression } from '../../../../lambda/shared/tokens/token-authorizer.ts';

const NOW = 1_800_000_000;
const METHOD_ARN = 'arn:aws:execute-api:eu-west-1:123456789012:abcdef1234/dev/POST/plants';

const { id, hash, text } = mintAccessToken();
const record: TokenRecord = { id, name: 'ci', hash, issuedAt: NOW - 1 };

describe('an access token', () => {
  test('has a searchable prefix, a public id and 256 secret bits, and only characters that RFC 6750 allows', () => {
    const { text, ...rest } = mintAccessToken();
    expect(parseAccessToken(text)).toEqual(rest);
    expect([rest.id === id, rest.hash === hash]).toEqual([false, false]);
    expect(text).toMatch(new RegExp(`^${ACCESS_TOKEN_PATTERN}$`));
    const [prefix, publicId, secret = ''] = text.split('_');
    expect([prefix, publicId]).toEqual(['plantstore', rest.id]);
    expect(publicId).toMatch(TOKEN_ID);
    expect(Buffer.from(secret, 'hex')).toHaveLength(32);
    expect(text).toMatch(/^[A-Za-z0-9._~+/-]+=*$/);
  });

  test('is parsed into its id and the SHA-256 hash of its secret', () => {
    const [, , secret = ''] = text.split('_');
    expect(parseAccessToken(text)).toEqual({ id, hash: createHash('sha256').update(secret).digest('hex') });
  });
});

const header = new RegExp(validationExpression(ACCESS_TOKEN_PATTERN));

test.each(['Bearer TOKEN', 'bEARER  TOKEN'])('validationExpression matches %s', (given) => {
  expect(given.replace('TOKEN', text)).toMatch(header);
});

test.each(['TOKEN', 'Basic TOKEN', 'BearerTOKEN', 'Bearer TOKENx', 'x Bearer TOKEN', 'Bearer x'])(
  'validationExpression does not match %s',
  (given) => {
    expect(given.replace('TOKEN', text)).not.toMatch(header);
  },
);

test.each([
  ['Bearer a.b~c+d/e_f-g==', 'a.b~c+d/e_f-g=='],
  ['bEARER  x', 'x'],
  ...['', 'Bearer', 'Bearer ', 'Basic x', 'x', 'Bearer x y', ' Bearer x', 'Bearer ='].map((no) => [no, '']),
  ...['Bearer x\n', 'Bearer x ', 'Bearer\tx', 'Bearerx'].map((no) => [no, '']),
])('bearerToken, given the header %j, returns %j', (given = '', token) => {
  expect(bearerToken(given)).toBe(token);
});

describe('checkToken', () => {
  test('accepts a token before its expiration time, and rejects it from that time on', async () => {
    const expiring = { ...record, expiresAt: NOW + 1 };
    await expect(checkToken(`Bearer ${text}`, async () => expiring, NOW + 0.9)).resolves.toBe(expiring);
    await expect(checkToken(`Bearer ${text}`, async () => expiring, NOW + 1)).resolves.toBeUndefined();
  });

  test.each([
    ['a token with a scheme other than Bearer', `Basic ${text}`],
    ['a token with one digit too many', `Bearer ${text}0`],
    ['an uppercase token', `Bearer ${text.toUpperCase()}`],
  ])('rejects %s without reading the table', async (_, header) => {
    const find = async () => {
      throw new Error('the table was read');
    };
    await expect(checkToken(header, find, NOW)).resolves.toBeUndefined();
  });

  test('rejects both a wrong secret and an unknown id after reading the table once', async () => {
    const other = `Bearer plantstore_${id}_${'0'.repeat(64)}`;
    for (const found of [record, undefined]) {
      const read: string[] = [];
      const find = async (wanted: string) => {
        read.push(wanted);
        return found;
      };
      await expect(checkToken(other, find, NOW)).resolves.toBeUndefined();
      expect(read).toEqual([id]);
    }
  });
});

test('for an unknown token, the authorize handler throws Unauthorized, which API Gateway turns into a 401', async () => {
  const handler = createHandler(async () => undefined);
  // Lambda logs the error's stack, so the stack must contain only the message.
  const unauthorized = { message: 'Unauthorized', stack: 'Unauthorized' };
  await expect(handler(event(`Bearer ${text}`))).rejects.toMatchObject(unauthorized);
});

const HASH = 'a'.repeat(64);

test.each([
  ['no id', { id: undefined }],
  ['no hash', { hash: undefined }],
  ['an array as the hash', { hash: [HASH] }],
  ['a hash of 65 digits that begins with a valid hash', { hash: `${HASH}0` }],
  ['a hash of 65 digits that ends with a valid hash', { hash: `0${HASH}` }],
  ['an uppercase hash', { hash: HASH.toUpperCase() }],
  ['a number as the name', { name: 5 }],
  ['a string as the issue time', { issuedAt: '1' }],
  ['an issue time that is too late for a Date', { issuedAt: 1e13 }],
  ['a string as the expiration time', { [EXPIRES_AT]: 'tomorrow' }],
  ['an expiration time that is too early for a Date', { expiresAt: -1e13 }],
])('asTokenRecord throws an error that reveals only the item’s id if the item has %s', (_, fields) => {
  const item: Record<string, unknown> = { ...record, hash: HASH, ...fields };
  const message = `the item ${item.id} in the tokens table is not a token record`;
  expect(() => asTokenRecord(item)).toThrow(new Error(message));
  expect(isTokenRecord(item)).toBe(false);
});

test.each([
  ['without an expiration time', {}],
  ['with an expiration time', { expiresAt: NOW }],
])('asTokenRecord does not change a token record %s', (_, fields) => {
  const item = { ...record, ...fields };
  expect(asTokenRecord(item)).toBe(item);
});

function event(authorizationToken: string) {
  return { type: 'TOKEN' as const, authorizationToken, methodArn: METHOD_ARN };
}
