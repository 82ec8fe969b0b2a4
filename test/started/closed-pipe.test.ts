import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startFromCommandLine } from '../support/started-service.ts';

// Ctrl-C in `npm start | tee plant-store.log` ends tee first.
test('npm start serves requests, exits with 0 and leaves no file after the reader of its output has ended', async () => {
  const temporary = await mkdtemp(join(tmpdir(), 'plant-store-start-'));
  const { url, stopReading, stop } = await startFromCommandLine({ TMPDIR: temporary });
  stopReading();

  // Each request is logged.
  const statuses = [await fetch(`${url}/first`), await fetch(`${url}/second`)].map(({ status }) => status);
  const code = await stop();
  const leftBehind = await readdir(temporary);
  await rm(temporary, { recursive: true });

  expect({ statuses, code, leftBehind }).toEqual({ statuses: [404, 404], code: 0, leftBehind: [] });
});
