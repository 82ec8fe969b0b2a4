import {
  accessDenied,
  allow,
  authorizerFailed,
  bearer,
  misconfigured,
  ok,
  type Row,
  unauthorized,
  validToken,
} from './row.ts';
import * as from from './sources.ts';

const basic = 'Basic x';
const both = (...Authorization: string[]) => ({ Authorization });
const lastWins = from.unknown('the last header counts, as in the event');
const returns = (result: unknown) => ({ headers: bearer({ return: result }) });
const { policyDocument } = allow;
const allows = (path: string) => {
  const Resource = `arn:aws:execute-api:*/POST/trees/${path}`;
  return returns({
    policyDocument: { Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource }] },
  });
};
const requestPath = 'dherault/serverless-offline#273';
const nothing = { Statement: [] };
const thrown = 'auth0-samples/jwt-rsa-aws-custom-authorizer#6';
const likeThrown = 'inferred from a function that throws';
const optional = 'marcogrcr on dev.to: only policyDocument is mandatory';

export const authorizerRows: readonly Row[] = [
  ['no token', { headers: {} }, unauthorized, 'localstack/localstack#10636'],
  ['a token of another form', { headers: { Authorization: basic } }, unauthorized, 'jasonbutz.info'],
  ['a valid token after another', { headers: both(basic, validToken.Authorization) }, ok, lastWins],
  ['another one after it', { headers: both(validToken.Authorization, basic) }, unauthorized, lastWins],
  ['a throw of Unauthorized', { headers: bearer({ throw: 'Unauthorized' }) }, unauthorized, from.authorizers],
  ['a throw of another error', { headers: bearer({ throw: 'a bug' }) }, misconfigured, thrown],
  ['a crash', { headers: bearer({ exit: true }) }, misconfigured, likeThrown],
  ['a function that cannot be loaded', { path: '/broken' }, misconfigured, likeThrown],
  ['a timeout', { headers: bearer({ sleep: true }) }, authorizerFailed, from.unknown('AUTHORIZER_FAILURE')],
  ['a result with an unknown field', returns({ ...allow, extra: 1 }), misconfigured, from.authorizerLog],
  ['a result without a policy', returns({ principalId: 'me' }), misconfigured, from.authorizers],
  ['a result that is not an object', returns('yes'), misconfigured, from.authorizers],
  ['an object in the context', returns({ ...allow, context: { a: {} } }), misconfigured, from.authorizers],
  [
    'a number as principalId',
    returns({ ...allow, principalId: 7 }),
    misconfigured,
    from.unknown('a mistake'),
  ],
  ['a result without a principalId', returns({ policyDocument }), ok, optional],
  ['an empty principalId', returns({ policyDocument, principalId: '' }), ok, from.authorizerLog],
  ['no Allow', returns({ policyDocument: nothing }), accessDenied, 'localstack/localstack#10636'],
  ['a policy for the path of the request', { path: '/trees/1', ...allows('1') }, ok, requestPath],
  ['a policy for another path', { path: '/trees/2', ...allows('1') }, accessDenied, requestPath],
  ['a policy for the route', { path: '/trees/3', ...allows('{id}') }, accessDenied, requestPath],
  ['an encoded path', { path: '/trees/a%20b', ...allows('a%20b') }, ok, from.unknown('as sent')],
  ['a slash at the end', { path: '/trees/4/', ...allows('4') }, ok, from.unknown('without it')],
];
