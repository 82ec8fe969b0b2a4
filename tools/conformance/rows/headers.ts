import { UNKNOWN_ACCESS_TOKEN } from '../../../lambda/shared/tokens/access-token.ts';
import { ARRIVED, JSON_TYPE, type Row, rejected, TOKEN, UNAUTHORIZED } from '../row.ts';

const MIXED_CASE = { 'content-TYPE': 'Application/JSON; charset=utf-8' };
const TEXT_TYPE = { 'Content-Type': 'text/plain' };
const LOWERCASE = { authorization: 'Bearer <token>', 'content-type': 'application/json' };

function authorization(value: string) {
  return { Authorization: value, ...JSON_TYPE };
}

export const headerRows: readonly Row[] = [
  { name: 'Content-Type in mixed case', headers: { ...TOKEN, ...MIXED_CASE }, expected: ARRIVED },
  {
    name: 'Content-Type text/plain',
    headers: { ...TOKEN, ...TEXT_TYPE },
    expected: rejected(1000),
  },
  { name: 'no Content-Type', headers: TOKEN },
  {
    name: 'lowercase bearer in Authorization',
    headers: authorization('bearer <token>'),
    expected: ARRIVED,
  },
  { name: 'lowercase header names', headers: LOWERCASE, expected: ARRIVED },
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
