import { expect, test } from '@jest/globals';
import { startFromCommandLine } from '../../../test/support/started-service.ts';
import { breakAt } from './function-debugger.ts';

test('npm start -- --inspect stops a request at a breakpoint in create-plant.ts, and ends while it is paused', async () => {
  const { printed, url, token, stop } = await startFromCommandLine({}, { args: ['--inspect=0'] });
  const [inspectorUrl = ''] = /ws:\S+/.exec(printed()) ?? [];
  const { nextPause, resume } = await breakAt(inspectorUrl, 'await put({ id');
  const post = () =>
    fetch(`${url}/plants`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: '{"id":1,"name":"Ficus"}',
    });

  const firstPause = nextPause();
  const first = post();
  expect(await firstPause).toMatch(/create-plant\/create-plant\.ts:\d+$/);
  await resume();
  expect((await first).status).toBe(200);

  const secondPause = nextPause();
  const second = post().catch(() => undefined);
  await secondPause;
  await stop();
  await second;
});
