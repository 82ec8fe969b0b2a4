import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { settingsFrom } from '../index.ts';

test('uses ports 3000 and 8000, the caller’s data folder and loopback by default', () => {
  expect(settingsFrom({ DYNAMODB_ENDPOINT: '' }, '.data')).toEqual({
    port: 3000,
    dynamodbPort: 8000,
    dynamodbEndpoint: undefined,
    dataDir: join(process.cwd(), '.data'),
    host: '127.0.0.1',
  });
});

test.each(['65536', '-1', '80a', '1e3', ' '])('rejects %p as a port', (port) => {
  expect(() => settingsFrom({ DYNAMODB_PORT: port }, '.data')).toThrow(
    `DYNAMODB_PORT must be a port from 0 to 65535, got "${port}"`,
  );
});
