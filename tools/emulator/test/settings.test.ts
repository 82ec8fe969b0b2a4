import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { settingsFrom } from '../index.ts';

test('uses ports 3000 and 8000, its data folder and loopback by default', () => {
  expect(settingsFrom({}, '.data')).toEqual({
    port: 3000,
    dynamodbPort: 8000,
    dynamodbEndpoint: undefined,
    dataDir: join(process.cwd(), '.data'),
    host: '127.0.0.1',
  });
});

test('runs the README’s second emulator on other ports and in another folder than the first', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
  const [, assignments = ''] = /A second (?:stage|emulator).*`(.*) npm start`/.exec(readme) ?? [];
  const env = Object.fromEntries(assignments.split(' ').map((assignment) => assignment.split('=')));
  const [first, second] = [settingsFrom({}, '.data'), settingsFrom(env, '.data')];

  expect(new Set([first, second].flatMap(({ port, dynamodbPort }) => [port, dynamodbPort])).size).toBe(4);
  expect(second.dataDir).not.toBe(first.dataDir);
});

describe('DYNAMODB_ENDPOINT', () => {
  test.each(['http://127.0.0.1:8000', 'https://dynamodb.test/'])('accepts %s', (endpoint) => {
    expect(settingsFrom({ DYNAMODB_ENDPOINT: endpoint }, '.data').dynamodbEndpoint).toBe(endpoint);
  });

  test.each(['127.0.0.1:8000', 'localhost:8000', 'http://', 'file:///tmp', 'http://127.0.0.1:99999'])(
    'rejects %s, which is not an HTTP URL',
    (endpoint) => {
      expect(() => settingsFrom({ DYNAMODB_ENDPOINT: endpoint }, '.data')).toThrow(
        `DYNAMODB_ENDPOINT must be a URL such as http://127.0.0.1:8000, and is "${endpoint}".`,
      );
    },
  );
});

test('rejects one port for both servers, unless it is 0 or DYNAMODB_ENDPOINT is set', () => {
  expect(() => settingsFrom({ PORT: '8000' }, '.data')).toThrow('PORT and DYNAMODB_PORT are both 8000');
  const elsewhere = { PORT: '8000', DYNAMODB_ENDPOINT: 'http://127.0.0.1:9000' };
  expect(settingsFrom(elsewhere, '.data')).toMatchObject({ port: 8000 });
  expect(settingsFrom({ PORT: '0', DYNAMODB_PORT: '0' }, '.data')).toMatchObject({
    port: 0,
    dynamodbPort: 0,
  });
});

test.each(['65536', '-1', '80a', '1e3', ' '])('rejects %p as a port', (port) => {
  expect(() => settingsFrom({ DYNAMODB_PORT: port }, '.data')).toThrow(
    `DYNAMODB_PORT must be a port from 0 to 65535, and is "${port}".`,
  );
});
