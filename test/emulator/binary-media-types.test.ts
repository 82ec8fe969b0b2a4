import { expect, test } from '@jest/globals';
import { startTestEmulator, type TestEmulator } from './fixtures/emulator.ts';
import { send } from './fixtures/http.ts';
import { arnOf, method, restApi } from './fixtures/resources.ts';

const echo = `exports.handler = async ({ body, isBase64Encoded }) =>
  ({ statusCode: 200, body: JSON.stringify({ body: body && body.slice(0, 100), isBase64Encoded }) });`;

async function withStage<T>(types: readonly string[], use: (stage: TestEmulator) => Promise<T>): Promise<T> {
  const api = restApi({}, { BinaryMediaTypes: types });
  const resources = { ...api, ...method('plants', 'POST', arnOf('Echo')) };
  const stage = await startTestEmulator({ functions: { Echo: echo }, resources });
  return use(stage).finally(() => stage.stop());
}

/** No text of any encoding that a client would use. */
const bytes = Buffer.from([0x7b, 0xff, 0xc0, 0x00, 0x7d]);
const asBytes = { body: bytes.toString('base64'), isBase64Encoded: true };
const asText = { body: bytes.toString(), isBase64Encoded: false };

async function seenBy(stage: TestEmulator, contentType: string | undefined, body: Buffer = bytes) {
  const headers = contentType === undefined ? {} : { 'Content-Type': contentType };
  return JSON.parse((await send(stage.url, '/plants', { method: 'POST', headers, body })).text);
}

test('a body whose media type is binary reaches the function as bytes, any other as text', async () => {
  await withStage(['image/png', 'audio~1*', 'Application/JSON'], async (stage) => {
    expect(await seenBy(stage, 'image/png')).toEqual(asBytes);
    expect(await seenBy(stage, 'IMAGE/PNG ; q=1')).toEqual(asBytes);
    expect(await seenBy(stage, 'image/jpeg')).toEqual(asText);
    expect(await seenBy(stage, 'audio/ogg;codecs=opus')).toEqual(asBytes);
    expect(await seenBy(stage, 'audiobook/ogg')).toEqual(asText);
    expect(await seenBy(stage, undefined)).toEqual(asBytes);
  });
});

test('without the assumed application/json, a body of no media type is text', async () => {
  await withStage(['image/*'], async (stage) => {
    expect(await seenBy(stage, undefined)).toEqual(asText);
  });
});

test('every body is binary for */*, and an empty one still null', async () => {
  await withStage(['*/*'], async (stage) => {
    expect(await seenBy(stage, 'anything')).toEqual(asBytes);
    expect(await seenBy(stage, undefined)).toEqual(asBytes);
    expect(await seenBy(stage, 'image/png', Buffer.alloc(0))).toEqual({ body: null, isBase64Encoded: false });
  });
});

test('the limit on the event counts the base64 text', async () => {
  await withStage(['image/png'], async (stage) => {
    const statusOf = async (contentType: string, size: number) =>
      (
        await send(stage.url, '/plants', {
          method: 'POST',
          headers: { 'Content-Type': contentType },
          body: Buffer.alloc(size, 'x'),
        })
      ).status;
    expect(await statusOf('text/plain', 5_000_000)).toBe(200);
    expect(await statusOf('image/png', 5_000_000)).toBe(413);
    expect(await statusOf('image/png', 4_600_000)).toBe(200);
  });
});
