import { expect, test } from '@jest/globals';
import { changedAssembly } from '../support/changed-assembly.ts';
import { startService } from '../support/service.ts';
import { everyEdgeOption } from '../template/option-combinations.ts';

test('the service with a custom domain, a web ACL and a throttle creates plants, and throttles at that rate', async () => {
  const options = { ...everyEdgeOption, throttleRate: '1', throttleBurst: '1' };
  const assembly = await changedAssembly(() => {}, { options });
  try {
    const service = await startService({ assembly: assembly.folder });
    try {
      expect(service.emulator.outputs.BaseUrl).toBe(service.emulator.url);
      const plants = Array.from({ length: 10 }, (_, id) => ({ id, name: 'Ficus' }));
      const statuses = (await Promise.all(plants.map((plant) => service.create(plant)))).map(
        ({ status }) => status,
      );
      expect(new Set(statuses)).toEqual(new Set([200, 429]));
    } finally {
      await service.stop();
    }
  } finally {
    await assembly.remove();
  }
});
