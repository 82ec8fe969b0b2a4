import { expect, test } from '@jest/globals';
import { startTestEmulator, type TestEmulator } from './fixtures/emulator.ts';
import { send } from './fixtures/http.ts';
import { arnOf, method, restApi } from './fixtures/resources.ts';

const echo = `exports.handler = async ({ body, isBase64Encoded }) =>
  ({ statusCode: 200, body: JSON.stringify({ body: body && body.slice(0, 100), isBase64Encoded }) });`;

async function withEmulator<T>(
  types: readonly string[],
  use: (emulator: TestEmulator) => Promise<T>,
): Promise<T> {
  const api = restApi({}, { BinaryMediaTypes: types });
  const resources = { ...api, ...method('plants', 'POST', arnOf('Echo')) };
  const emulator = await startTestEmulator({ functions: { Echo: echo }, resources });
  return use(emulator).finally(() => emulator.stop());
}

/** Not valid in any text encoding that a client would use. */
const bytes = Buffer.from([0x7b, 0xff, 0xc0, 0x00, 0x7d]);
const asBytes = { body: bytes.toString('base64'), isBase64Encoded: true };
const asText = { body: bytes.toString(), isBase64Encoded: false };

async function seenBy(emulator: TestEmulator, contentType: string | undefined, body: Buffer = bytes) {
  const headers = contentType === undefined ? {} : { 'Content-Type': contentType };
  return JSON.parse((await send(emulator.url, '/plants', { method: 'POST', headers, body })).text);
}

test('a body of a binary media type reaches the function as base64, any other as text', async () => {
  await withEmulator(['image/png', 'audio~1*', 'Application/JSON'], async (emulator) => {
    expect(await seenBy(emulator, 'image/png')).toEqual(asBytes);
    expect(await seenBy(emulator, 'IMAGE/PNG ; q=1')).toEqual(asBytes);
    expect(await seenBy(emulator, 'image/jpeg')).toEqual(asText);
    expect(await seenBy(emulator, 'audio/ogg;codecs=opus')).toEqual(asBytes);
    expect(await seenBy(emulator, 'audiobook/ogg')).toEqual(asText);
    expect(await seenBy(emulator, undefined)).toEqual(asBytes);
  });
});

test('a body without a media type is text if application/json is not binary', async () => {
  await withEmulator(['image/*'], async (emulator) => {
    expect(await seenBy(emulator, undefined)).toEqual(asText);
  });
});

test('every body is base64 with */*, but an empty one is null', async () => {
  await withEmulator(['*/*'], async (emulator) => {
    expect(await seenBy(emulator, 'anything')).toEqual(asBytes);
    expect(await seenBy(emulator, undefined)).toEqual(asBytes);
    expect(await seenBy(emulator, 'image/png', Buffer.alloc(0))).toEqual({
      body: null,
      isBase64Encoded: false,
    });
  });
});

test('the limit of 6 MB on the event includes the overhead of base64', async () => {
  await withEmulator(['image/png'], async (emulator) => {
    const statusOf = async (contentType: string, size: number) =>
      (
        await send(emulator.url, '/plants', {
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
