import { describe, expect, test } from '@jest/globals';
import { checkToken } from '../../../../lambda/authorize/check-token.ts';
import {
  mintAccessToken,
  type TokenRecord,
} from '../../../../lambda/shared/tokens/access-token.ts';

const NOW = 1_800_000_000;
const { id, hash, token } = mintAccessToken();
const record: TokenRecord = { id, client: 'ci', hash, issuedAt: NOW - 1 };

describe('checkToken', () => {
  test('accepts a token before its expiration time, and rejects it from that time on', async () => {
    const expiring = { ...record, expiresAt: NOW + 1 };
    await expect(checkToken(`Bearer ${token}`, async () => expiring, NOW + 0.9)).resolves.toBe(
      expiring,
    );
    await expect(
      checkToken(`Bearer ${token}`, async () => expiring, NOW + 1),
    ).resolves.toBeUndefined();
  });

  test.each([
    ['a token with a scheme other than Bearer', `Basic ${token}`],
    ['a token with one digit too many', `Bearer ${token}0`],
    ['an uppercase token', `Bearer ${token.toUpperCase()}`],
  ])('rejects without reading the table: %s', async (_, header) => {
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
