import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type FaultyService, startFaultyService } from '../support/faulty-service.ts';

// One service per test, because the authorizer cache would hide the second failure.
let service: FaultyService;
beforeEach(async () => {
  service = await startFaultyService();
});
afterEach(() => service.stop());

test.each(['reset before it was applied', 'stalled and never applied'] as const)(
  'the service returns 500 for every token while commands to DynamoDB are %s, and recovers',
  async (fault) => {
    const wrong = service.token.replace(/[0-9a-f]{64}$/, '0'.repeat(64));
    service.proxy.decide = () => fault;
    const during = await Promise.all([service.token, wrong].map(use));
    service.proxy.decide = () => 'none';
    const after = await Promise.all([service.token, wrong].map(use));

    expect(during.map(({ status, body }) => [status, body.error])).toEqual([
      [500, 2500],
      [500, 2500],
    ]);
    expect(after.map(({ status }) => status)).toEqual([200, 401]);
  },
);

function use(accessToken: string) {
  const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' };
  return service.send({ headers, body: '{"id":1,"name":"Ficus"}' });
}
