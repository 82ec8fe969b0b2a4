import { mintAccessToken } from '../../../lambda/shared/tokens/access-token.ts';
import { CREATED, type Expectation, gatewayError, rejected } from '../expectation.ts';
import { type Header, JSON_TYPE, type Row, TOKEN } from '../row.ts';

function sends(name: string, headers: readonly Header[], expected: Expectation): Row {
  return { name, request: { headers }, expected };
}

const TEXT_TYPE: Header = ['Content-Type', 'text/plain'];

export const mediaTypes: readonly Row[] = [
  sends('Content-Type in mixed case', [TOKEN, ['content-TYPE', 'Application/JSON; charset=utf-8']], CREATED),
  sends('Content-Type text/plain', [TOKEN, TEXT_TYPE], rejected(1000)),
  { name: 'no Content-Type', request: { headers: [TOKEN] } },
];

const bearer = (credentials: string): Header => ['Authorization', `Bearer ${credentials}`];

export const validCredentials = [
  sends('lowercase bearer in Authorization', [['Authorization', 'bearer <token>'], JSON_TYPE], CREATED),
  sends('lowercase header names', [TOKEN, JSON_TYPE].map(lowerCase), CREATED),
];

function lowerCase([name, value]: Header): Header {
  return [name.toLowerCase(), value];
}

export const invalidCredentials = [
  sends('no token', [JSON_TYPE], gatewayError(401)),
  sends('empty token', [bearer(''), JSON_TYPE], gatewayError(401)),
  sends('malformed token', [bearer('nonsense'), JSON_TYPE], gatewayError(401)),
  sends('token without Bearer', [['Authorization', '<token>'], JSON_TYPE], gatewayError(401)),
  sends('unknown token', [bearer(mintAccessToken().text), JSON_TYPE], gatewayError(401)),
  sends('token with a wrong secret', [bearer('<wrong>'), JSON_TYPE], gatewayError(401)),
];
