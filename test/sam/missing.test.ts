import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { addressOf } from '../../emulator/listen.ts';
import { missingForSam } from '../../scripts/sam/missing.ts';

const LOOPBACK = '127.0.0.1';
/** An address of this machine besides 127.0.0.1, as Docker's bridge has one. macOS has no second one in IPv4. */
const BRIDGE = process.platform === 'darwin' ? '::1' : '127.0.0.2';
/** Reserved for documentation (RFC 5737): an address of no machine, as that of a bridge in a virtual machine. */
const ELSEWHERE = '203.0.113.1';

let commands: string;
beforeEach(() => {
  commands = mkdtempSync(join(tmpdir(), 'plant-store-path-'));
});
afterEach(() => {
  rmSync(commands, { recursive: true });
});

describe('missingForSam', () => {
  test('reports a missing SAM CLI and a missing Docker', async () => {
    expect(await missing()).toEqual([
      expect.stringMatching(/^The SAM CLI is not installed: see https:\S+$/),
      expect.stringMatching(/^Docker is not installed: see https:\S+$/),
    ]);
  });

  test.each([
    [
      '1.146.0',
      [expect.stringMatching(/^The SAM CLI 1\.146\.0 .* upgrade it to 1\.147 or newer, see https:\S+$/)],
    ],
    ['1.147.0', []],
    ['1.164.0', []],
    ['2.0.0', []],
  ])('compares SAM CLI %s with the first that knows nodejs24.x', async (version, expected) => {
    installSam(version);
    const lines = await missing();
    expect(lines.filter((line) => line.includes('SAM'))).toEqual(expected);
  });

  test('reports a Docker that is not running', async () => {
    installSam();
    install('docker', 'test "$1" = --version');
    expect(await missing()).toEqual([
      expect.stringMatching(/^Docker is installed but not running: start it/),
    ]);
  });

  describe('if Docker’s bridge has an address of this machine', () => {
    beforeEach(() => {
      installSam();
      installDocker(BRIDGE);
    });

    test('reports an npm start that is not running, with the address to set', async () => {
      const port = await withServer(LOOPBACK, async (free) => free);
      expect(await missing(port)).toEqual([
        `No DynamoDB listens on ${BRIDGE}:${port}, where containers look for it: run "HOST=${BRIDGE} npm start" in another terminal.`,
      ]);
    });

    test('reports an npm start that listens on loopback only', async () => {
      await withServer(LOOPBACK, async (port) => {
        expect(await missing(port)).toEqual([
          `DynamoDB listens on 127.0.0.1:${port}, which containers cannot reach: stop npm start, and run "HOST=${BRIDGE} npm start".`,
        ]);
      });
    });

    test('reports nothing if npm start listens on that address', async () => {
      await withServer(BRIDGE, async (port) => expect(await missing(port)).toEqual([]));
    });
  });

  // macOS has no other address in 127.0.0.0/8.
  (process.platform === 'darwin' ? test.skip : test)(
    'reports the first address of the subnet if Docker does not name the gateway yet',
    async () => {
      installSam();
      installDocker('127.0.9.0/24');
      const port = await withServer(LOOPBACK, async (free) => free);
      expect(await missing(port)).toEqual([expect.stringContaining('"HOST=127.0.9.1 npm start"')]);
    },
  );

  describe('if Docker runs in a virtual machine', () => {
    beforeEach(() => {
      installSam();
      installDocker(ELSEWHERE);
    });

    test('reports an npm start that is not running', async () => {
      const port = await withServer(LOOPBACK, async (free) => free);
      expect(await missing(port)).toEqual([expect.stringMatching(/run "npm start" in another terminal\.$/)]);
    });

    test('reports nothing if npm start listens on loopback', async () => {
      await withServer(LOOPBACK, async (port) => expect(await missing(port)).toEqual([]));
    });
  });
});

test.each(['invoke', 'start-api'])(
  'sam.ts %s prints each missing part in a line and exits with 1',
  (command) => {
    installSam('1.100.0');
    const { status, stderr } = spawnSync(process.execPath, ['scripts/sam.ts', command], {
      cwd: join(import.meta.dirname, '../..'),
      env: { PATH: commands },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^SAM cannot run yet:\n {2}- The SAM CLI 1\.100\.0 .*\n {2}- Docker is not installed.*\n$/,
      ),
    ]);
  },
);

function missing(port = 0): Promise<readonly string[]> {
  return missingForSam({ PATH: commands }, port);
}

function installSam(version = '1.164.0'): void {
  install('sam', `echo 'SAM CLI, version ${version}'`);
}

function installDocker(gateway: string): void {
  install('docker', `test "$1" != network || echo '${gateway} '`);
}

function install(command: string, script: string): void {
  writeFileSync(join(commands, command), `#!/bin/sh\n${script}\n`);
  chmodSync(join(commands, command), 0o755);
}

/** Calls `use` with the port of a server that listens on `host`. */
async function withServer<Result>(host: string, use: (port: number) => Promise<Result>): Promise<Result> {
  const server = createServer((socket) => socket.destroy()).listen({ host, port: 0 });
  await once(server, 'listening');
  try {
    return await use(addressOf(server.address()).port);
  } finally {
    server.close();
  }
}
