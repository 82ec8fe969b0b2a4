import { UNKNOWN_ACCESS_TOKEN } from '../../../lambda/shared/tokens/access-token.ts';
import { ARRIVED, JSON_TYPE, type Row, rejected, TOKEN, UNAUTHORIZED } from '../row.ts';

function authorization(value: string) {
  return { Authorization: value, ...JSON_TYPE };
}

export const headers: readonly Row[] = [
  {
    name: 'Content-Type in mixed case',
    headers: { ...TOKEN, 'content-TYPE': 'Application/JSON; charset=utf-8' },
    expected: ARRIVED,
  },
  {
    name: 'Content-Type text/plain',
    headers: { ...TOKEN, 'Content-Type': 'text/plain' },
    expected: rejected(1000),
  },
  { name: 'no Content-Type', headers: TOKEN },
  {
    name: 'lowercase bearer in Authorization',
    headers: authorization('bearer <token>'),
    expected: ARRIVED,
  },
  {
    name: 'lowercase header names',
    headers: { authorization: 'Bearer <token>', 'content-type': 'application/json' },
    expected: ARRIVED,
  },
  { name: 'no token', headers: JSON_TYPE, expected: UNAUTHORIZED },
  { name: 'empty token', headers: authorization('Bearer '), expected: UNAUTHORIZED },
  { name: 'malformed token', headers: authorization('Bearer nonsense'), expected: UNAUTHORIZED },
  { name: 'token without Bearer', headers: authorization('<token>'), expected: UNAUTHORIZED },
  {
    name: 'unknown token',
    headers: authorization(`Bearer ${UNKNOWN_ACCESS_TOKEN}`),
    expected: UNAUTHORIZED,
  },
  {
    name: 'token with a wrong secret',
    headers: authorization('Bearer <wrong>'),
    expected: UNAUTHORIZED,
  },
];
