import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startFromCommandLine } from '../../../test/support/started-service.ts';
import { fail } from '../../../test/support/token-command.ts';

const START = [process.execPath, 'bin/start.ts'];
/** That of util-linux, which runs a command in a terminal of its own. */
const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');

let temporary: string;
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'plant-store-start-'));
});
afterEach(() => rmSync(temporary, { recursive: true }));

// Ctrl-C in `npm start | tee plant-store.log` ends tee first.
test('npm start serves requests, exits with 0 and leaves no file after the reader of its output has ended', async () => {
  const { url, stopReading, stop } = await startFromCommandLine({ TMPDIR: temporary });
  stopReading();

  // Each request is logged.
  const statuses = [await fetch(`${url}/first`), await fetch(`${url}/second`)].map(({ status }) => status);
  const code = await stop();

  expect({ statuses, code, leftBehind: readdirSync(temporary) }).toEqual({
    statuses: [404, 404],
    code: 0,
    leftBehind: [],
  });
});

// A disk that is always full.
(existsSync('/dev/full') ? test : test.skip)(
  'npm start serves requests, and reports once that its log cannot be written, when the disk of the log is full',
  async () => {
    const command = ['sh', '-c', 'exec "$@" > /dev/full', 'sh', ...START];
    const { url, printed, stop } = await startFromCommandLine({}, { command });
    const statuses = [await fetch(`${url}/first`), await fetch(`${url}/second`)].map(({ status }) => status);
    const code = await stop();
    expect({ statuses, code }).toEqual({ statuses: [404, 404], code: 0 });
    expect(printed().match(/cannot be written.*/g)).toEqual([expect.stringContaining('ENOSPC')]);
  },
);

(hasScript ? test : test.skip)('npm start leaves no file when its terminal disappears', async () => {
  const script = `script --quiet --return --command 'exec "${START.join('" "')}"' /dev/null`;
  // Descriptor 3 shows when what runs in the terminal has ended.
  const command = ['sh', '-c', `exec ${script} >&2 3>&2`];
  const { dataDir, ended, kill } = await startFromCommandLine({ TMPDIR: temporary }, { command });
  kill('SIGKILL');
  await ended;
  const announced = existsSync(join(dataDir, 'emulator.json'));
  expect({ announced, leftBehind: readdirSync(temporary) }).toEqual({ announced: false, leftBehind: [] });
});

// npm's shell outlives it.
test('npm start ends and leaves no file when npm alone is killed', async () => {
  const { ended, kill } = await startFromCommandLine({ TMPDIR: temporary }, { command: ['npm', 'start'] });
  kill('SIGKILL');
  await ended;
  expect(readdirSync(temporary)).toEqual([]);
});

test('after npm start was killed, the next one removes its folder, and no token of that is issued with the data folder of the first', async () => {
  const first = await startFromCommandLine({ TMPDIR: temporary });
  const { port } = new URL(first.url);
  const [, dynamodbPort = ''] = /DynamoDB +http:\S+:(\d+)/.exec(first.printed()) ?? [];
  first.kill('SIGKILL');
  await first.ended;
  const [left] = readdirSync(temporary);
  expect(left).toMatch(/^plant-store-\d+-/);

  const second = await startFromCommandLine({
    TMPDIR: temporary,
    PORT: port,
    DYNAMODB_PORT: dynamodbPort,
  });
  const message = await fail(['issue', 'ci', '--local'], { DATA_DIR: first.dataDir });
  const folders = readdirSync(temporary);
  await second.stop();
  expect(message).toBe(
    `token: no emulator is running with the data folder ${first.dataDir}; start it with npm start, or set DATA_DIR ` +
      'to the folder of another one',
  );
  expect(folders).toEqual([expect.not.stringMatching(`^${left}$`)]);
});
