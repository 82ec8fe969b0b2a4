import { describe, expect, test } from '@jest/globals';
import {
  ACCESS_TOKEN_PATTERN,
  asTokenRecord,
  EXPIRES_AT,
  mintAccessToken,
} from '../../../lambda/shared/tokens/access-token.ts';
import { bearerToken, validationExpression } from '../../../lambda/shared/tokens/token-authorizer.ts';

const { id, hash, text } = mintAccessToken();

describe('validationExpression', () => {
  const expression = new RegExp(validationExpression(ACCESS_TOKEN_PATTERN));

  const matches = (header: string) => expression.test(header.replace('TOKEN', text));

  test.each(['Bearer TOKEN', 'bEARER  TOKEN'])('matches %s', (header) => {
    expect(matches(header)).toBe(true);
  });

  test.each(['TOKEN', 'Basic TOKEN', 'BearerTOKEN', 'Bearer TOKENx', 'x Bearer TOKEN', 'Bearer x'])(
    'does not match %s',
    (header) => {
      expect(matches(header)).toBe(false);
    },
  );
});

describe('bearerToken', () => {
  test.each([
    ['Bearer a.b~c+d/e_f-g==', 'a.b~c+d/e_f-g=='],
    ['bEARER  x', 'x'],
  ])('reads from %j the token %j', (header, token) => {
    expect(bearerToken(header)).toBe(token);
  });

  test.each([
    ...[
      '',
      'Bearer',
      'Bearer ',
      'Basic x',
      'x',
      'Bearer x y',
      ' Bearer x',
      'Bearer =',
      'Bearer x\n',
      'Bearer x ',
    ],
    'Bearer\tx',
    'Bearerx',
  ])('returns an empty string for %j', (header) => {
    expect(bearerToken(header)).toBe('');
  });
});

test('EXPIRES_AT is a field of TokenRecord', () => {
  const record = { id, hash, name: 'ci', issuedAt: 1 };
  expect(asTokenRecord({ ...record, [EXPIRES_AT]: 2 })).toMatchObject({ expiresAt: 2 });
  expect(() => asTokenRecord({ ...record, [EXPIRES_AT]: 'soon' })).toThrow(/is not a token record/);
});
