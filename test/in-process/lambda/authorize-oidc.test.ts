import { describe, expect, test } from '@jest/globals';
import { callerOf, hasScope } from '../../../lambda/authorize-oidc/handler.ts';

describe('callerOf', () => {
  test.each([
    [{ sub: 's' }, { principalId: 's', client: 's' }],
    [
      { sub: 's', client_id: 'c' },
      { principalId: 's', client: 'c' },
    ],
    [
      { sub: 's', azp: 'a' },
      { principalId: 's', client: 'a' },
    ],
    [
      { sub: 's', client_id: 'c', azp: 'a' },
      { principalId: 's', client: 'c' },
    ],
    [
      { sub: 's', client_id: 5 },
      { principalId: 's', client: 's' },
    ],
    [{ sub: 'auth0|a b@c' }, { principalId: 'auth0|a b@c', client: 'auth0|a b@c' }],
  ])('reads from the claims %j the caller %j', (claims, caller) => {
    expect(callerOf(claims)).toEqual(caller);
  });

  test('replaces characters that would break out of a line or field of the access log', () => {
    const { principalId, client } = callerOf({ sub: 'a","status":"200', client_id: 'b\n{}\\' });
    expect(JSON.parse(`{"principal":"${principalId}","client":"${client}"}`)).toEqual({
      principal: 'a?,?status?:?200',
      client: 'b?{}?',
    });
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

  test.each([
    {},
    { scope: '' },
    { scope: 'a:bc' },
    { scope: 'a: b' },
    { scp: [['a:b']] },
    { scope: { 'a:b': true } },
  ])('does not find the scope a:b in %j', (claims) => {
    expect(hasScope(claims, 'a:b')).toBe(false);
  });
});
