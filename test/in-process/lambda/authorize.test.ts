import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { checkToken } from '../../../lambda/authorize/check-token.ts';
import { createHandler } from '../../../lambda/authorize/handler.ts';
import {
  ACCESS_TOKEN_PATTERN,
  mintAccessToken,
  parseAccessToken,
} from '../../../lambda/shared/tokens/access-token.ts';
import { asTokenRecord, type TokenRecord } from '../../../lambda/shared/tokens/token-record.ts';

const NOW = 1_800_000_000;
const METHOD_ARN = 'arn:aws:execute-api:eu-west-1:123456789012:abcdef1234/dev/POST/plants';

const { id, hash, text } = mintAccessToken();
const record: TokenRecord = { id, name: 'ci', hash, issuedAt: NOW - 1 };

describe('an access token', () => {
  test('has a prefix to be found by, a public id and 256 secret bits, in the alphabet of RFC 6750', () => {
    const { id, text } = mintAccessToken();
    expect(text).toMatch(new RegExp(`^${ACCESS_TOKEN_PATTERN}$`));
    const [prefix, publicId, secret = ''] = text.split('_');
    expect([prefix, publicId]).toEqual(['plantstore', id]);
    expect(Buffer.from(secret, 'hex')).toHaveLength(32);
    expect(text).toMatch(/^[A-Za-z0-9._~+/-]+=*$/);
  });

  test('is another each time, in its id and in its secret', () => {
    const tokens = Array.from({ length: 100 }, () => mintAccessToken());
    expect(new Set(tokens.map((token) => token.id)).size).toBe(100);
    expect(new Set(tokens.map((token) => token.hash)).size).toBe(100);
  });

  test('is known again by the SHA-256 of its secret', () => {
    const [, , secret = ''] = text.split('_');
    expect(parseAccessToken(text)).toEqual({ id, hash: createHash('sha256').update(secret).digest('hex') });
  });
});

describe('a token is accepted', () => {
  test.each([`Bearer ${text}`, `bearer ${text}`, `BEARER   ${text}`])('in %s', async (header) => {
    await expect(checkToken(header, async () => record, NOW)).resolves.toBe(record);
  });

  test('until the second it expires in', async () => {
    const expiring = { ...record, expiresAt: NOW + 1 };
    await expect(checkToken(`Bearer ${text}`, async () => expiring, NOW + 0.9)).resolves.toBe(expiring);
    await expect(checkToken(`Bearer ${text}`, async () => expiring, NOW + 1)).resolves.toBeUndefined();
  });
});

describe('a token is refused', () => {
  test.each([
    '',
    'Bearer',
    `Basic ${text}`,
    text,
    `Bearer ${text} `,
    `Bearer ${text} x`,
    `Bearer ${text}0`,
    `Bearer ${text}\n`,
    ` Bearer ${text}`,
    `Bearer ${text.toUpperCase()}`,
    `Bearer\t${text}`,
  ])('without asking the store, in %j', async (header) => {
    const find = async () => {
      throw new Error('asked');
    };
    await expect(checkToken(header, find, NOW)).resolves.toBeUndefined();
  });

  test('with a wrong secret and with an unknown id in the same steps: one look, and one comparison', async () => {
    const other = `Bearer plantstore_${id}_${'0'.repeat(64)}`;
    for (const found of [record, undefined]) {
      const asked: string[] = [];
      const find = async (wanted: string) => {
        asked.push(wanted);
        return found;
      };
      await expect(checkToken(other, find, NOW)).resolves.toBeUndefined();
      expect(asked).toEqual([id]);
    }
  });

  test('with an answer that API Gateway makes a 401 of', async () => {
    const handler = createHandler(async () => undefined);
    await expect(handler(event(`Bearer ${text}`))).rejects.toThrow(/^Unauthorized$/);
  });
});

test('a token that cannot be checked is neither let through nor refused', async () => {
  const handler = createHandler(async () => {
    throw new Error('the store is away');
  });
  await expect(handler(event(`Bearer ${text}`))).rejects.toThrow('the store is away');
});

test('the answer names the caller and allows this stage of this API alone, whatever is called', async () => {
  const handler = createHandler(async () => record);
  await expect(handler(event(`Bearer ${text}`))).resolves.toEqual({
    principalId: id,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Action: 'execute-api:Invoke',
          Resource: 'arn:aws:execute-api:eu-west-1:123456789012:abcdef1234/dev/*',
        },
      ],
    },
    context: { client: 'ci' },
  });
});

test.each([
  { ...record, id: undefined },
  { ...record, hash: undefined },
  { ...record, name: 5 },
  { ...record, issuedAt: '1' },
  { ...record, expiresAt: 'tomorrow' },
])('asTokenRecord throws with only the id of %j, which is not a token record', (item) => {
  const message = `item ${item.id} of the tokens table is not a token record`;
  expect(() => asTokenRecord(item)).toThrow(new Error(message));
});

test.each([{ ...record }, { ...record, expiresAt: NOW }])(
  'an item that is a token record is taken as it is',
  (item) => {
    expect(asTokenRecord(item)).toBe(item);
  },
);

function event(authorizationToken: string) {
  return { type: 'TOKEN' as const, authorizationToken, methodArn: METHOD_ARN };
}
