import { expect, test } from '@jest/globals';
import {
  authorizerPolicy,
  bearerToken,
  validationExpression,
} from '../../../../../lambda/shared/tokens/token-authorizer.ts';

const header = new RegExp(validationExpression('[A-Z]{5}'));

test.each(['Bearer TOKEN', 'bEARER  TOKEN'])('validationExpression matches %s', (given) => {
  expect(given).toMatch(header);
});

test.each(['TOKEN', 'Basic TOKEN', 'BearerTOKEN', 'Bearer TOKENS', 'x Bearer TOKEN', 'Bearer x'])(
  'validationExpression does not match %s',
  (given) => {
    expect(given).not.toMatch(header);
  },
);

test.each([
  ['Bearer a.b~c+d/e_f-g==', 'a.b~c+d/e_f-g=='],
  ['bEARER  x', 'x'],
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
    'Bearer\tx',
    'Bearerx',
  ].map((no) => [no, '']),
])('bearerToken, given the header %j, returns %j', (given = '', token) => {
  expect(bearerToken(given)).toBe(token);
});

test('authorizerPolicy returns a policy for every operation of the API stage, and names the caller', () => {
  const caller = { principalId: 'id', client: 'ci' };
  const api = 'arn:aws:execute-api:us-east-1:123456789012:api';
  expect(authorizerPolicy('Deny', caller, `${api}/dev/GET/a/b`)).toEqual({
    principalId: 'id',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Deny', Action: 'execute-api:Invoke', Resource: `${api}/dev/*` }],
    },
    context: { client: 'ci' },
  });
});

test('authorizerPolicy replaces characters that would end a line or a field in the access log', () => {
  const caller = { principalId: 'a","status":"200', client: 'b\n{}\\' };
  const { principalId, context } = authorizerPolicy('Allow', caller, 'api/dev/GET/a');
  expect(JSON.parse(`{"principal":"${principalId}","client":"${context?.client}"}`)).toEqual({
    principal: 'a?,?status?:?200',
    client: 'b?{}?',
  });
});
