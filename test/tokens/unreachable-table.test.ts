import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type BreakableProxy, startBreakableProxy } from '../end-to-end/breakable-proxy.ts';
import { type Service, startService } from '../end-to-end/service.ts';

jest.setTimeout(60_000);

let storage: Service;
let line: BreakableProxy;
let service: Service;
beforeAll(async () => {
  storage = await startService();
  line = await startBreakableProxy(storage.stage.dynamodbEndpoint);
  service = await startService({ dynamodbEndpoint: line.url });
});
afterAll(async () => {
  await service.stop();
  await line.stop();
  await storage.stop();
});

test.each(['cut', 'stall'] as const)(
  'while the line to the tokens table is %s, no token is let through or refused; then all is as before',
  async (breakLine) => {
    const wrong = service.token.replace(/[0-9a-f]{64}$/, '0'.repeat(64));
    line[breakLine]();
    const during = await Promise.all([service.token, wrong].map(use));
    line.mend();
    const after = await Promise.all([service.token, wrong].map(use));

    expect(during.map(({ status, body }) => [status, body.error])).toEqual([
      [500, 2500],
      [500, 2500],
    ]);
    expect(after.map(({ status }) => status)).toEqual([200, 401]);
    await forgetAnswers();
  },
);

function use(accessToken: string) {
  const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' };
  return service.send({ headers, body: '{"id":1,"name":"Ficus"}' });
}

/** The gateway would answer the next test from what it keeps. */
async function forgetAnswers(): Promise<void> {
  await service.stop();
  service = await startService({ dynamodbEndpoint: line.url });
}
