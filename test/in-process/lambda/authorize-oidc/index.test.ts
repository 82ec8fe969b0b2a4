import { expect, jest, test } from '@jest/globals';
import { lambdaContext } from '../../../support/lambda-context.ts';

test('the authorize-oidc function throws Unauthorized if the token is not a JWT, and logs the rejection', async () => {
  const lines: string[] = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  const environment = {
    STAGE: 'dev',
    OIDC_ISSUER: 'https://127.0.0.1:1',
    OIDC_AUDIENCE: 'plant-store',
  };
  Object.assign(process.env, environment);
  const { handler } = await import('../../../../lambda/authorize-oidc/index.ts');
  const event = { type: 'TOKEN' as const, authorizationToken: 'Bearer x', methodArn: 'arn' };
  await expect(handler(event, lambdaContext())).rejects.toThrow(/^Unauthorized$/);
  jest.restoreAllMocks();
  const logged = { service: 'authorize', stage: 'dev', outcome: 'rejected', error: '2401' };
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([logged]);
});
