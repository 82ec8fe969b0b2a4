import { expect, test } from '@jest/globals';
import { isAllowed } from '../../dynamodb/reject-websites.cjs';

const loopback = '127.0.0.1';

test.each([
  ['LOCALHOST', loopback],
  ['localhost:8000', loopback],
  ['127.1.2.3:8000', loopback],
  ['[::1]:8000', '::1'],
  // Docker Desktop forwards this name to loopback.
  ['host.docker.internal:8000', loopback],
  ['host.docker.internal:8000', '0.0.0.0'],
  ['172.17.0.1:8000', '172.17.0.1'],
  ['172.17.0.1:8000', '0.0.0.0'],
  ['[fe80::1]:8000', '::'],
  ['my-laptop:8000', 'My-Laptop'],
])('allows a request with the host %s if DynamoDB listens on %s', (host, address) => {
  expect(isAllowed({ host }, address)).toBe(true);
});

test.each([
  ['evil.example:8000', loopback],
  ['evil.example', '0.0.0.0'],
  ['127.0.0.1.evil.example', loopback],
  ['localhost.evil.example', loopback],
  ['user@localhost:8000', loopback],
  ['2130706433', loopback],
  ['::1:8000', loopback],
  ['1.evil.example', '0.0.0.0'],
  ['xhost.docker.internal', loopback],
  ['host.docker.internal.evil.example', loopback],
  ['192.168.0.7:8000', loopback],
  ['192.168.0.7:8000', '172.17.0.1'],
  [undefined, '0.0.0.0'],
])('rejects a request with the host %s if DynamoDB listens on %s', (host, address) => {
  expect(isAllowed({ host }, address)).toBe(false);
});

test.each(['https://evil.example', 'null', 'http://localhost:3000', ''])(
  'rejects a request with the Origin %p',
  (origin) => {
    expect(isAllowed({ host: 'localhost:8000', origin }, loopback)).toBe(false);
  },
);
