import { describe, expect, test } from '@jest/globals';
import { callerOf, hasScope } from '../../../lambda/authorize-oidc/handler.ts';

describe('the caller', () => {
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
  ])('of %j is %j', (claims, caller) => {
    expect(callerOf(claims)).toEqual(caller);
  });

  test('cannot write into the access log what looks like another line or field', () => {
    const { principalId, client } = callerOf({ sub: 'a","status":"200', client_id: 'b\n{}\\' });
    expect(JSON.parse(`{"principal":"${principalId}","client":"${client}"}`)).toEqual({
      principal: 'a?,?status?:?200',
      client: 'b?{}?',
    });
  });
});

describe('the scope a:b', () => {
  test.each([
    { scope: 'a:b' },
    { scope: 'x a:b y' },
    { scp: 'x a:b' },
    { scp: ['x', 'a:b'] },
    { scope: 'x', scp: ['a:b'] },
  ])('is granted by %j', (claims) => {
    expect(hasScope(claims, 'a:b')).toBe(true);
  });

  test.each([
    {},
    { scope: '' },
    { scope: 'a:bc' },
    { scope: 'a: b' },
    { scp: [['a:b']] },
    { scope: { 'a:b': true } },
  ])('is not granted by %j', (claims) => {
    expect(hasScope(claims, 'a:b')).toBe(false);
  });
});
