import { CREATED, type Expectation, gatewayError, rejected } from '../expectation.ts';
import {
  FOLLOW,
  type Header,
  JSON_TYPE,
  type OpenRow,
  type Outcome,
  type SettledRow,
  TOKEN,
} from '../row.ts';

function sends(name: string, headers: readonly Header[], expected: Expectation): SettledRow {
  return { name, request: { headers }, expected };
}

function asks(name: string, headers: readonly Header[], ...outcomes: Outcome[]): OpenRow {
  return { name, request: { headers }, outcomes };
}

const TEXT_TYPE: Header = ['Content-Type', 'text/plain'];

export const mediaTypes = [
  sends(
    'Content-Type in another case',
    [TOKEN, ['content-TYPE', 'Application/JSON; charset=utf-8']],
    CREATED,
  ),
  sends('Content-Type text/plain', [TOKEN, TEXT_TYPE], rejected(1000)),
  asks(
    'no Content-Type',
    [TOKEN],
    [rejected(1000), 'nothing is added: README.md and docs/errors.md are right'],
    [
      CREATED,
      'API Gateway adds application/json: state it in docs/errors.md (1000), and add it in emulator/',
    ],
  ),
  asks(
    'two Content-Type headers',
    [TOKEN, TEXT_TYPE, JSON_TYPE],
    [CREATED, 'the last one counts, as in the emulator'],
    [rejected(1000), 'the first one counts: change tools/emulator/rest-api/'],
    [{ status: 400 }, 'AWS rejects it: change tools/emulator/rest-api/'],
  ),
];

const bearer = (credentials: string): Header => ['Authorization', `Bearer ${credentials}`];

export const validCredentials = [
  sends('bearer in lower case', [['Authorization', 'bearer <token>'], JSON_TYPE], CREATED),
  sends('header names in lower case', [TOKEN, JSON_TYPE].map(lowerCase), CREATED),
  asks(
    'space after the token',
    [bearer('<token> '), JSON_TYPE],
    [CREATED, 'header values are trimmed, as in the emulator'],
    [gatewayError(401), 'the space is kept: mention it in docs/access-tokens.md'],
  ),
  asks(
    'valid token, then a wrong one',
    [TOKEN, bearer('<wrong>'), JSON_TYPE],
    [CREATED, `the first one counts; ${FOLLOW}`],
    [gatewayError(401), `the last one counts, or neither; ${FOLLOW}`],
    [{ status: 400 }, `AWS rejects it; ${FOLLOW}`],
  ),
  asks(
    'wrong token, then a valid one',
    [bearer('<wrong>'), TOKEN, JSON_TYPE],
    [CREATED, `the last one counts; ${FOLLOW}`],
    [gatewayError(401), `the first one counts, or neither; ${FOLLOW}`],
    [{ status: 400 }, `AWS rejects it; ${FOLLOW}`],
  ),
];

function lowerCase([name, value]: Header): Header {
  return [name.toLowerCase(), value];
}

export const invalidCredentials = [
  sends('no token', [JSON_TYPE], gatewayError(401)),
  sends('empty token', [bearer(''), JSON_TYPE], gatewayError(401)),
  sends('token of another shape', [bearer('nonsense'), JSON_TYPE], gatewayError(401)),
  sends('token without Bearer', [['Authorization', '<token>'], JSON_TYPE], gatewayError(401)),
  sends(
    'unknown token',
    [bearer(`plantstore_${'0'.repeat(16)}_${'0'.repeat(64)}`), JSON_TYPE],
    gatewayError(401),
  ),
  sends('token with another secret', [bearer('<wrong>'), JSON_TYPE], gatewayError(401)),
  ...['application/xml', 'image/png'].map((accept) =>
    asks(
      `401 with Accept: ${accept}`,
      [bearer('nonsense'), JSON_TYPE, ['Accept', accept]],
      [gatewayError(401), 'JSON whatever the client accepts: docs/errors.md is right'],
      [
        { status: [401, 406, 500] },
        'Accept matters: state it in docs/errors.md, and weigh decision 0009 again',
      ],
    ),
  ),
];
