import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type LoadedStage, startLoadedStage } from './loaded-stage.ts';
import { memoryOf } from './memory.ts';
import { sendMixed } from './requests.ts';
import { pipeline, startRudeClients } from './rude-clients.ts';

/** Half as much again as any of them takes, and less than where the bodies would add up to, were they kept. */
const MAX_MEGABYTES = 450;

describe('the emulator under load', () => {
  let loaded: LoadedStage;
  beforeAll(async () => {
    loaded = await startLoadedStage();
  });
  afterAll(() => loaded.stop());

  test('answers each request as it must, good or bad, while rude clients hold connections', async () => {
    const rude = await startRudeClients(loaded.client, 500);
    const sent = await sendMixed(loaded.client, { concurrency: 16, more: (count) => count < 900 });
    rude.end();
    expect(sent).toBe(900);
  }, 60_000);

  test('answers pipelined requests in their order', async () => {
    const ids = Array.from({ length: 50 }, (_, at) => 2_000_000 + at);
    const statuses = await pipeline(loaded.client, ids);
    expect(statuses).toEqual(ids.map(() => 200));
  });

  test('keeps the memory of each of its processes within bounds', () => {
    const [largest = 0] = memoryOf(loaded.stage);
    expect(largest).toBeGreaterThan(0);
    expect(largest).toBeLessThan(MAX_MEGABYTES);
  });
});
