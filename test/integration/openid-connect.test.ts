import { globalAgent } from 'node:https';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Behaviour, type Issuer, startIssuer } from '../oidc/issuer.ts';
import { ecKey } from '../oidc/signing-key.ts';

const methodArn = 'arn:aws:execute-api:us-east-1:123456789012:api/dev/POST/plants';
const inAnHour = Math.floor(Date.now() / 1000) + 3600;

let issuer: Issuer;
// biome-ignore lint/suspicious/noExplicitAny: called as Lambda does, with events of no type
let authorize: (authorizationToken: string) => Promise<any>;
beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  issuer = await startIssuer();
  globalAgent.options.ca = issuer.certificate;
  Object.assign(process.env, {
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: 'plant-store',
    OIDC_SCOPE: 'plants:write',
    STAGE: 'dev',
    POWERTOOLS_METRICS_DISABLED: 'true',
  });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await issuer.stop();
});

/** The function as it is after a cold start: it knows no key. */
beforeEach(async () => {
  issuer.behaviour = 'well';
  jest.resetModules();
  const { handler } = await import('../../lambda/authorize-oidc/index.ts');
  const context = JSON.parse('{"awsRequestId":"request"}');
  authorize = (authorizationToken) => handler({ type: 'TOKEN', authorizationToken, methodArn }, context);
});

function token(claims: object = {}): string {
  const all = {
    iss: issuer.url,
    aud: 'plant-store',
    sub: 'me',
    exp: inAnHour,
    scope: 'plants:write',
    ...claims,
  };
  return `Bearer ${issuer.keys[0]?.sign(all)}`;
}

describe('the authorizer of OpenID Connect', () => {
  test('allows the stage to a token with the scope', async () => {
    await expect(authorize(token())).resolves.toMatchObject({
      principalId: 'me',
      policyDocument: { Statement: [{ Effect: 'Allow', Resource: expect.stringMatching(/api\/dev\/\*$/) }] },
    });
  });

  test.each([{ scope: 'plants:read' }, { scope: undefined }])('denies it to one with %j', async (claims) => {
    await expect(authorize(token(claims))).resolves.toMatchObject({
      policyDocument: { Statement: [{ Effect: 'Deny' }] },
    });
  });

  test.each([
    ['an audience that is another', { aud: 'others' }],
    ['an issuer that is another', { iss: 'https://impostor.example' }],
    ['a past', { exp: inAnHour - 7200 }],
    ['no end', { exp: undefined }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
  ])('refuses one with %s', async (_what, claims) => {
    await expect(authorize(token(claims))).rejects.toThrow(/^Unauthorized$/);
  });

  test('refuses one whose signature no key of its kind can have made', async () => {
    const signed =
      issuer.keys[1]?.sign({ iss: issuer.url, aud: 'plant-store', sub: 'me', exp: inAnHour }) ?? '';
    const [head, payload] = signed.split('.');
    await expect(authorize(`Bearer ${head}.${payload}.AAAA`)).rejects.toThrow(/^Unauthorized$/);
  });

  test('refuses what is no token, or was signed by nobody known', async () => {
    const strange = ecKey('ec-1').sign({ iss: issuer.url, aud: 'plant-store', sub: 'me', exp: inAnHour });
    for (const text of [
      '',
      'Bearer',
      'Bearer x.y.z',
      `${token()}x`,
      `Bearer ${strange}`,
      `${token().slice(0, -9)}`,
    ]) {
      await expect(authorize(text)).rejects.toThrow(/^Unauthorized$/);
    }
  });

  test.each<Behaviour>(['slow', 'dead', 'failing', 'garbage', 'impostor', 'insecure keys'])(
    'neither allows nor refuses where the issuer is %s',
    async (behaviour) => {
      issuer.behaviour = behaviour;
      await expect(authorize(token())).rejects.not.toThrow(/^Unauthorized$/);
      issuer.behaviour = 'well';
      await expect(authorize(token())).resolves.toMatchObject({ principalId: 'me' });
    },
    10_000,
  );
});
