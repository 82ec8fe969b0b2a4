import { describe, expect, test } from '@jest/globals';
import { operationErrors } from '../../../../../lambda/shared/errors.ts';
import { type NoteRequest, sendNote } from '../../fixture-operation.ts';

const errorOf = async (request: NoteRequest) => {
  const { statusCode, body, notes } = await sendNote(request);
  expect([statusCode, notes]).toEqual([400, []]);
  return body;
};

describe('requireJsonMediaType', () => {
  test.each([
    { 'CONTENT-TYPE': 'Application/JSON' },
    { 'Content-Type': 'application/json; charset=utf-8' },
    { 'Content-Type': 'application/json ;charset=utf-8' },
    { 'Content-Type': '\t application/json \t' },
    { 'content-type': 'text/plain', 'Content-Type': 'application/json' },
  ])('accepts the headers %j', async (headers) => {
    await expect(sendNote({ headers })).resolves.toMatchObject({ statusCode: 200 });
  });

  test.each([
    null,
    {},
    { 'Content-Type': 'application/jsonp' },
    { 'Content-Type': 'text/plain; a=application/json' },
    { Accept: 'application/json' },
    { 'Content-Type': 'application/json\u00a0' },
    { 'Content-Type': 'application/json\u00a0; charset=utf-8' },
    { 'Content-Type': 'application/json', 'content-type': 'text/plain' },
  ])('returns 1000 for the headers %j', async (headers) => {
    const message = 'the Content-Type must be application/json';
    await expect(errorOf({ headers })).resolves.toEqual({ error: 1000, message });
  });
});

describe('limitSize', () => {
  const tooLarge = { error: 1003, message: operationErrors.tooLarge.message };
  // The string has no closing quote, so the limit on characters outside strings does not reject this body.
  const body = `"${'x'.repeat(2_500_000)}`;

  test.each([
    ['2.5 MB and a byte', body],
    ['2.5 MB and a byte, in base64', Buffer.from(body)],
    ['fewer characters, but more bytes', `"${'é'.repeat(1_250_000)}`],
  ])('returns 1003 for a body of %s', async (_size, large) => {
    await expect(errorOf({ body: large })).resolves.toEqual(tooLarge);
  });

  test('leaves a body of exactly 2.5 MB to the parser', async () => {
    const largest = body.slice(0, -1);
    await expect(errorOf({ body: largest })).resolves.toMatchObject({ error: 1001 });
    await expect(errorOf({ body: Buffer.from(largest) })).resolves.toMatchObject({ error: 1001 });
  });
});

describe('limitStructure', () => {
  const LIMIT = 400 * 1024;
  // The strings have odd and even lengths.
  const withSpaces = (spaces: number) => `{"id":1,"a":0,${' '.repeat(spaces)}"text":"Buy soil"}`;
  const outside = '{"":1,"":0,"":""}'.length;

  test('accepts 400 KB outside strings, and returns 1003 for one character more', async () => {
    await expect(sendNote({ body: withSpaces(LIMIT - outside) })).resolves.toMatchObject({
      statusCode: 200,
    });
    await expect(errorOf({ body: withSpaces(LIMIT - outside + 1) })).resolves.toMatchObject({
      error: 1003,
    });
  });

  test('does not count what is in strings, escaped quotes included', async () => {
    const text = '"'.repeat(300_000);
    const body = Buffer.from(JSON.stringify({ id: 1, text }));
    const { notes } = await sendNote({ body });
    // A failure would print 600,000 characters of text.
    const stored = notes.map((note) => [note.text.length, new Set(note.text)]);
    expect(stored).toEqual([[300_000, new Set('"')]]);
  });

  test('counts what is before a string that never ends, but not the string', async () => {
    await expect(errorOf({ body: `${withSpaces(LIMIT)}"` })).resolves.toMatchObject({
      error: 1003,
    });
    await expect(errorOf({ body: `"${'x'.repeat(LIMIT)}` })).resolves.toMatchObject({
      error: 1001,
    });
  });
});

describe('limitStructure, for nested bodies,', () => {
  const nested = (levels: number) =>
    `{"id":1,"text":"]}","more":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

  test('accepts 100 levels, and returns 1001 for one more', async () => {
    await expect(sendNote({ body: nested(100) })).resolves.toMatchObject({ statusCode: 200 });
    await expect(errorOf({ body: nested(101) })).resolves.toEqual({
      error: 1001,
      message: operationErrors.notJson.message,
    });
  });

  test('does not count brackets in strings, and counts arrays beside each other once', async () => {
    const body = JSON.stringify({ id: 1, text: '['.repeat(200), more: Array(200).fill([]) });
    await expect(sendNote({ body })).resolves.toMatchObject({ statusCode: 200 });
  });
});

describe('decodeBody', () => {
  test.each([null, ''])('returns 1001 if the body is %p', async (body) => {
    await expect(errorOf({ body })).resolves.toEqual({
      error: 1001,
      message: 'the request has no body',
    });
  });

  const withBytes = (hex: string) =>
    Buffer.concat([Buffer.from('{"id":1,"text":"'), Buffer.from(hex, 'hex'), Buffer.from('"}')]);

  test('decodes base64', async () => {
    await expect(sendNote({ body: withBytes('c3a9') })).resolves.toMatchObject({
      notes: [{ text: 'é' }],
    });
  });

  test.each<[string, NoteRequest]>([
    ['JSON that is marked as base64', { body: '{"id":1,"text":"a"}', isBase64Encoded: true }],
    ['base64 without padding', { body: 'eyJpZCI6MSwidGV4dCI6ImEifQ', isBase64Encoded: true }],
    ['a byte order mark', { body: '\ufeff{"id":1,"text":"a"}' }],
    ['a byte order mark in base64', { body: Buffer.from('\ufeff{"id":1,"text":"a"}') }],
    ['Latin-1', { body: withBytes('e9') }],
  ])('returns 1001 for %s', async (_what, request) => {
    await expect(errorOf(request)).resolves.toMatchObject({ error: 1001 });
  });
});
