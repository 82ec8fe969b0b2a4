import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type StartedService, startFromCommandLine } from '../../../test/support/started-service.ts';
import { breakAt } from './function-debugger.ts';

// May take more than 10 s, because it runs npm start twice.
const START = [process.execPath, 'bin/start.ts'];
/** Whether `script` is the one from util-linux, which runs a command in a separate terminal. */
const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');
/** Whether there is a device that acts as a full disk. */
const hasFullDisk = existsSync('/dev/full');

const temporary = mkdtempSync(join(tmpdir(), 'plant-store-start-'));
afterAll(() => rmSync(temporary, { recursive: true }));

(hasScript ? test : test.skip)(
  'npm start prints colors on a terminal, and leaves no file behind when the terminal disappears',
  async () => {
    const script = `script --quiet --return --command 'exec "${START.join('" "')}"' /dev/null`;
    // Descriptor 3 closes when the command in the terminal has ended.
    const command = ['sh', '-c', `exec ${script} >&2 3>&2`];
    const env = { TMPDIR: temporary, TERM: 'xterm', NO_COLOR: undefined, CI: undefined };
    const { dataDir, printed, ended, kill } = await startFromCommandLine(env, { command });
    kill('SIGKILL');
    await ended;
    const announced = existsSync(join(dataDir, 'emulator.json'));
    rmSync(dataDir, { recursive: true });
    expect({ announced, leftBehind: readdirSync(temporary) }).toEqual({ announced: false, leftBehind: [] });
    expect(printed()).toContain('\u001b[');
  },
);

// Each test continues from the previous one.
describe('npm start -- --inspect, with its log on a full disk,', () => {
  let service: StartedService;
  let functions: Awaited<ReturnType<typeof breakAt>>;
  beforeAll(async () => {
    const redirected = ['sh', '-c', 'exec "$@" > /dev/full', 'sh', ...START];
    const command = hasFullDisk ? redirected : START;
    service = await startFromCommandLine({ TMPDIR: temporary }, { command, args: ['--inspect=0'] });
  });

  afterAll(() => service.kill('SIGKILL'));

  const post = async () => {
    const response = await fetch(`${service.url}/plants`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' },
      body: '{"id":1,"name":"Ficus"}',
    });
    return response.status;
  };

  (hasFullDisk ? test : test.skip)(
    'serves requests, and reports once that its log cannot be written',
    async () => {
      expect([await post(), await post()]).toEqual([200, 200]);
      expect(service.printed().match(/cannot be written.*/g)).toEqual([expect.stringContaining('ENOSPC')]);
    },
  );

  test('pauses a request at a breakpoint in create-plant.ts', async () => {
    const [inspectorUrl = ''] = /ws:\S+/.exec(service.printed()) ?? [];
    functions = await breakAt(inspectorUrl, 'await put({ id');
    const paused = functions.nextPause();
    const status = post();
    expect(await paused).toMatch(/create-plant\/create-plant\.ts:\d+$/);
    await functions.resume();
    expect(await status).toBe(200);
  });

  test('exits with 0 and leaves no file behind, even while a function is paused', async () => {
    const paused = functions.nextPause();
    const status = post().catch(() => undefined);
    await paused;
    expect(await service.stop()).toBe(0);
    await status;
    expect(readdirSync(temporary)).toEqual([]);
  });
});
