import { gzipSync } from 'node:zlib';
import { created, rejected } from '../expectation.ts';
import { FIRST_ID } from '../ids.ts';
import { PLANT_BODY, type Row, type SettledRow } from '../row.ts';

const UNTAGGED = '{"id":<id>,"name":"Ficus"}';

function body(name: string, sent: string | Buffer, expected: SettledRow['expected']): SettledRow {
  return { name, request: { body: sent }, expected };
}

/** A row whose id is taken by PLANT_BODY, or by other bodies. */
function taken(
  name: string,
  sent: string,
  expected: SettledRow['expected'],
  before = [PLANT_BODY],
): SettledRow {
  return { name, before, request: { body: sent }, expected };
}

export const validPlants: readonly Row[] = [
  body('plant with a tag', PLANT_BODY, created('Ficus', 'indoor')),
  body('plant without a tag', UNTAGGED, created('Ficus')),
  body('empty name and tag', '{"id":<id>,"name":"","tag":""}', created('', '')),
  body('name outside ASCII', '{"id":<id>,"name":"\u2028e\u0301 é 🌱"}', created('\u2028e\u0301 é 🌱')),
  body('unknown field', '{"id":<id>,"name":"Ficus","height":3}', created('Ficus')),
  body('plant of almost 400 KB', `{"id":<id>,"name":"${'x'.repeat(409_000)}"}`, created('x'.repeat(409_000))),
];

export const ids: readonly Row[] = [
  body('id 2^63-1', '{"id":9223372036854775807,"name":"conformance"}', created('conformance')),
  body('id -2^63', '{"id":-9223372036854775808,"name":"conformance"}', created('conformance')),
  taken('next id above 2^53', '{"id":<next>,"name":"Oak"}', created('Oak')),
  taken('id with a zero fraction', '{"id":<id>.0,"name":"Oak"}', rejected(1004)),
  taken('id with an exponent', '{"id":<id>0e-1,"name":"Oak"}', rejected(1004)),
  body('id 2^63', '{"id":9223372036854775808,"name":"Ficus"}', rejected(1002)),
  body('id -2^63-1', '{"id":-9223372036854775809,"name":"Ficus"}', rejected(1002)),
  body('id with a fraction', '{"id":<id>.5,"name":"Ficus"}', rejected(1002)),
  body('id 1e400', '{"id":1e400,"name":"Ficus"}', rejected(1002)),
  body('id as a string', '{"id":"<id>","name":"Ficus"}', rejected(1002)),
  body('no id', '{"name":"Ficus"}', rejected(1002)),
];

export const takenIds: readonly Row[] = [
  taken('same plant again', '{"tag":"indoor","name":"Ficus","id":<id>}', created('Ficus', 'indoor')),
  taken('taken id, another name', '{"id":<id>,"name":"Oak","tag":"indoor"}', rejected(1004)),
  taken('taken id, another tag', '{"id":<id>,"name":"Ficus","tag":"outdoor"}', rejected(1004)),
  taken('taken id, no tag', UNTAGGED, rejected(1004)),
  taken('taken id, empty tag instead of none', '{"id":<id>,"name":"Ficus","tag":""}', rejected(1004), [
    UNTAGGED,
  ]),
  taken('first plant after a conflict', PLANT_BODY, created('Ficus', 'indoor'), [
    PLANT_BODY,
    '{"id":<id>,"name":"Oak"}',
  ]),
];

export const invalidBodies: readonly Row[] = [
  body('no name', '{"id":<id>}', rejected(1002)),
  body('name that is not a string', '{"id":<id>,"name":1}', rejected(1002)),
  body('tag null', '{"id":<id>,"name":"Ficus","tag":null}', rejected(1002)),
  body('lone surrogate', '{"id":<id>,"name":"\\ud800"}', rejected(1002)),
  body('key __proto__', '{"id":<id>,"name":"Ficus","__proto__":1}', rejected(1002)),
  body('array', '[]', rejected(1002)),
  body('empty body', '', rejected(1001)),
  body('incomplete JSON', '{"id":<id>,', rejected(1001)),
  body('byte order mark', '\ufeff{"id":<id>,"name":"Ficus"}', rejected(1001)),
  body('bytes outside UTF-8', Buffer.from(`{"id":${FIRST_ID},"name":"\xff"}`, 'latin1'), rejected(1001)),
  {
    name: 'gzip body',
    request: {
      extraHeaders: [['Content-Encoding', 'gzip']],
      body: gzipSync(`{"id":${FIRST_ID},"name":"Ficus"}`),
    },
    expected: rejected(1001),
    source: 'AWS: a body is decompressed only if MinimumCompressionSize is set',
  },
  body('plant above 400 KB', `{"id":<id>,"name":"${'x'.repeat(409_600)}"}`, rejected(1003)),
  body('body of 3 MB', `{"id":<id>,"name":"${'x'.repeat(3_000_000)}"}`, rejected(1003)),
  body('1 MB of structure', `{"id":<id>,"name":"a","u":[${'{},'.repeat(350_000)}{}]}`, rejected(1003)),
];
