import { createHash } from 'node:crypto';
import { mintAccessToken } from '../../lambda/shared/tokens/access-token.ts';

const createPlant = (
  body: string | null,
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
) => ({
  resource: '/plants',
  path: '/plants',
  httpMethod: 'POST',
  headers,
  body,
  isBase64Encoded: false,
  requestContext: { requestId: 'bench', authorizer: { principalId: 'bench', client: 'bench' } },
});

const token = mintAccessToken();
const expired = mintAccessToken();
const stranger = mintAccessToken();
const item = ({ id, hash }: { id: string; hash: string }, expiresAt: number) => ({
  id: { S: id },
  name: { S: 'bench' },
  hash: { S: hash },
  issuedAt: { N: '1' },
  expiresAt: { N: `${expiresAt}` },
});
const authorize = (authorizationToken: string) => ({
  type: 'TOKEN',
  methodArn: 'arn:aws:execute-api:us-east-1:123456789012:api/dev/POST/plants',
  authorizationToken,
});

/** The items in the tokens table, by id. */
export const tokenItems = {
  [token.id]: item(token, 4_102_444_800),
  [expired.id]: item(expired, 2),
};

/** The response bodies that the fake transport returns, by DynamoDB operation. */
export const replies = { GetItem: JSON.stringify({ Item: tokenItems[token.id] }), PutItem: '{}' };

/** The event with which each function is timed. */
export const timedEvents = {
  'create-plant': createPlant('{"id":9007199254740993,"name":"Ficus","tag":"indoor"}'),
  authorize: authorize(`Bearer ${token.text}`),
};

/** The events for which all variants must return the same results, but with different plants for each variant. */
export function comparedEvents(kind: keyof typeof timedEvents, variant: string): object[] {
  if (kind === 'authorize') {
    return [
      authorize(`Bearer ${token.text}`),
      authorize(`bEARER ${token.text}`),
      authorize(`Bearer ${expired.text}`),
      authorize(`Bearer ${stranger.text}`),
      authorize(`Bearer ${token.text.slice(0, -1)}${token.text.endsWith('0') ? '1' : '0'}`),
      authorize('Bearer nonsense'),
    ];
  }
  const id = createHash('sha256').update(variant).digest().readUInt32BE();
  return [
    createPlant(`{"id":${id},"name":"Ficus","tag":"indoor"}`),
    createPlant(`{"id":${id},"name":"Ficus","tag":"indoor","unknown":1}`),
    createPlant(`{"id":${id},"name":"Ficus"}`),
    createPlant(`{"id":-${id}.0e1,"name":""}`, { 'content-type': 'Application/JSON; charset=utf-8' }),
    createPlant(`{"id":-922337203${`${id}`.padStart(10, '0')},"name":"Oak"}`),
    createPlant('{"id":9223372036854775808,"name":"Oak"}'),
    createPlant('{"id":1.5,"name":"Oak"}'),
    createPlant('{"id":"5","name":"Oak"}'),
    createPlant('{"name":"Oak"}'),
    createPlant('{"id":1,"name":null}'),
    createPlant('{"id":1,"name":"Oak","tag":5}'),
    createPlant('{"id":1,"name":"\\ud800"}'),
    createPlant('[]'),
    createPlant('{'),
    createPlant(null),
    createPlant('{}', {}),
    createPlant('{"id":2,"name":"fail"}'),
  ];
}
