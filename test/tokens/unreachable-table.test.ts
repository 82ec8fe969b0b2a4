import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type BreakableService, startBreakableService } from '../end-to-end/breakable-service.ts';

jest.setTimeout(60_000);

// One service per test, because the authorizer cache would hide the second failure.
let service: BreakableService;
beforeEach(async () => {
  service = await startBreakableService();
});
afterEach(() => service.stop());

test.each(['cut', 'stall'] as const)(
  'the service returns 500 for every token while the connection to the tokens table is %s, and recovers',
  async (breakLine) => {
    const wrong = service.token.replace(/[0-9a-f]{64}$/, '0'.repeat(64));
    service.line[breakLine]();
    const during = await Promise.all([service.token, wrong].map(use));
    service.line.fix();
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
