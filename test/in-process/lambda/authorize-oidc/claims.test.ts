import { describe, expect, test } from '@jest/globals';
import { callerOf, hasScope } from '../../../../lambda/authorize-oidc/claims.ts';

describe('callerOf', () => {
  const sub = 'auth0|a b@c';

  test.each([
    [sub, { sub }],
    ['c', { sub, client_id: 'c' }],
    ['a', { sub, azp: 'a' }],
    ['c', { sub, client_id: 'c', azp: 'a' }],
    [sub, { sub, client_id: 5 }],
  ])('returns the client %s for the claims %j', (client, claims) => {
    expect(callerOf(claims)).toEqual({ principalId: sub, client });
  });
});

describe('hasScope', () => {
  test.each([
    { scope: 'a:b' },
    { scope: 'x a:b y' },
    { scp: 'x a:b' },
    { scp: ['x', 'a:b'] },
    { scope: 'x', scp: ['a:b'] },
  ])('finds the scope a:b in %j', (claims) => {
    expect(hasScope(claims, 'a:b')).toBe(true);
  });

  test.each([{}, { scope: 'a:bc' }, { scp: [['a:b']] }, { scope: { 'a:b': true } }])(
    'does not find the scope a:b in %j',
    (claims) => {
      expect(hasScope(claims, 'a:b')).toBe(false);
    },
  );
});
