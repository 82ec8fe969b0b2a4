import { gzipSync } from 'node:zlib';
import { MAX_INT64, MIN_INT64 } from '../../../lambda/shared/http/int64.ts';
import {
  type Expectation,
  FIRST_ID,
  JSON_TYPE,
  type Row,
  rejected,
  succeeded,
  TOKEN,
} from '../row.ts';

const PLANT = '{"id":<id>,"name":"Ficus","tag":"indoor"}';
const CREATED = created('Ficus', 'indoor');
const UNTAGGED = '{"id":<id>,"name":"Ficus"}';
const INVALID_UTF_8 = Buffer.from(`{"id":${FIRST_ID},"name":"\xff"}`, 'latin1');

function created(name: string, tag?: string): Expectation {
  return succeeded(tag === undefined ? { name } : { name, tag });
}

function sends(
  name: string,
  body: string | Buffer,
  expected: Expectation,
  ...before: string[]
): Row {
  return { name, body, expected, before };
}

/** The tag is large, not the name, because a contract is more likely to limit the name. */
function plantOf(bytes: number): string {
  return `{"id":<id>,"name":"Ficus","tag":"${'x'.repeat(bytes)}"}`;
}

/** Also expects a conflict, because another client's plant may have this id, and a run cannot remove that plant. */
function atTheEnd(name: string, id: bigint): Row {
  return { name, body: PLANT.replace('<id>', `${id}`), expected: [CREATED, rejected(1004)] };
}

/** In prod, the first run creates the plant, and every later run finds it. */
export const LARGEST_ID: Row = {
  ...atTheEnd('id 2^63-1', MAX_INT64),
  inProd: true,
  item: `id ${MAX_INT64}`,
};

export const createPlant: readonly Row[] = [
  LARGEST_ID,
  atTheEnd('id -2^63', MIN_INT64),
  sends('id 2^63', PLANT.replace('<id>', `${MAX_INT64 + 1n}`), rejected(1002)),
  sends('id -2^63-1', PLANT.replace('<id>', `${MIN_INT64 - 1n}`), rejected(1002)),
  sends('consecutive ids above 2^53', '{"id":<next>,"name":"Oak"}', created('Oak'), PLANT),
  sends('id with a zero fraction', '{"id":<id>.0,"name":"Oak"}', rejected(1004), PLANT),
  sends('id with an exponent', '{"id":<id>0e-1,"name":"Oak"}', rejected(1004), PLANT),
  sends('id with a fraction', '{"id":<id>.5,"name":"Ficus"}', rejected(1002)),
  sends('id as a string', '{"id":"<id>","name":"Ficus"}', rejected(1002)),
  sends('no id', '{"name":"Ficus"}', rejected(1002)),
  sends('plant with a tag', PLANT, CREATED),
  sends('plant without a tag', UNTAGGED, created('Ficus')),
  sends('empty name and tag', '{"id":<id>,"name":"","tag":""}', created('', '')),
  sends('non-ASCII name', '{"id":<id>,"name":"\u2028e\u0301 é 🌱"}', created('\u2028e\u0301 é 🌱')),
  sends('unknown field', '{"id":<id>,"name":"Ficus","unknown":3}', created('Ficus')),
  sends('plant of almost 400 KB', plantOf(409_000), created('Ficus', 'x'.repeat(409_000))),
  sends('plant larger than 400 KB', plantOf(409_600), rejected(1003)),
  sends('body of 3 MB', plantOf(3_000_000), rejected(1003)),
  sends('same plant a second time', '{"tag":"indoor","name":"Ficus","id":<id>}', CREATED, PLANT),
  sends(
    'taken id, different name',
    '{"id":<id>,"name":"Oak","tag":"indoor"}',
    rejected(1004),
    PLANT,
  ),
  sends(
    'taken id, different tag',
    '{"id":<id>,"name":"Ficus","tag":"outdoor"}',
    rejected(1004),
    PLANT,
  ),
  sends('taken id, no tag', UNTAGGED, rejected(1004), PLANT),
  sends('taken id, empty tag', '{"id":<id>,"name":"Ficus","tag":""}', rejected(1004), UNTAGGED),
  sends('lone surrogate', '{"id":<id>,"name":"\\ud800"}', rejected(1002)),
  sends('key __proto__', '{"id":<id>,"name":"Ficus","__proto__":1}', rejected(1002)),
  sends('empty body', '', rejected(1001)),
  sends('incomplete JSON', '{"id":<id>,', rejected(1001)),
  sends('byte order mark', `\ufeff${PLANT}`, rejected(1001)),
  sends('invalid UTF-8', INVALID_UTF_8, rejected(1001)),
  {
    name: 'gzip body',
    headers: { ...TOKEN, ...JSON_TYPE, 'Content-Encoding': 'gzip' },
    body: gzipSync(`{"id":${FIRST_ID},"name":"Ficus"}`),
    expected: rejected(1001),
    source:
      'AWS, "Payload compression for REST APIs": API Gateway decompresses bodies only if MinimumCompressionSize is set',
  },
];
