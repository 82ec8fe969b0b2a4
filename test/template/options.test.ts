import { describe, expect, test } from '@jest/globals';
import { OPTION_NAMES } from '../../lib/options/options.ts';
import { stageConfig } from '../../lib/stage-config.ts';
import { appOf } from '../support/assembly/stack-template.ts';
import { tableRows } from '../support/pages/code-blocks.ts';
import { domain, everyOptionOfProd, webAcl } from './option-combinations.ts';

const configOf = (context: Record<string, unknown>) => stageConfig(appOf(context).node);
const cacheSeconds = (context: Record<string, unknown>) => configOf(context).authorizerCacheSeconds;

describe('options for a stage in cdk.json', () => {
  const prod = { alarmEmail: 'ops@example.com', authorizerCacheSeconds: 300 };

  test('apply to a deployment of that stage', () => {
    expect(configOf({ stage: 'prod', prod }).alarmEmail).toBe('ops@example.com');
    expect(cacheSeconds({ stage: 'pr-12', 'pr-12': { authorizerCacheSeconds: 0 } })).toBe(0);
  });

  test('apply to dev, the default stage, if -c names no stage', () => {
    expect(cacheSeconds({ dev: { authorizerCacheSeconds: 0 } })).toBe(0);
  });

  test('are overridden individually by -c', () => {
    const overridden = { stage: 'prod', prod, authorizerCacheSeconds: '0' };
    expect(cacheSeconds(overridden)).toBe(0);
    expect(configOf(overridden).alarmEmail).toBe('ops@example.com');
  });

  test('do not affect a different stage, even if they are invalid', () => {
    const oidc = { oidcIssuer: 'https://id.example', oidcAudience: 'a' };
    for (const options of [prod, oidc, { alarmEmial: 1 }]) {
      expect(configOf({ prod: options })).toEqual(configOf({}));
    }
  });
});

// `constructor` is a member of Object.prototype.
test.each(['a-2345678901234567-0', 'constructor'])(
  'a stage without options of its own has those of dev: %s',
  (stage) => {
    expect(configOf({ stage })).toEqual({ ...configOf({}), stage });
  },
);

describe('the tables in docs/options.md and docs/custom-domain.md', () => {
  const rows = ['docs/options.md', 'docs/custom-domain.md']
    .flatMap(tableRows)
    .filter(({ option }) => option !== undefined);

  test('list every option, and no others', () => {
    // A context key of the CDK's own, such as `@aws-cdk/core:…`, is not an option of ours.
    const listed = rows.flatMap(({ option }) => option?.match(/(?<=`)\w+(?=`)/g) ?? []);
    expect(listed.sort()).toEqual([...OPTION_NAMES].sort());
  });

  test('state limits of numbers that are accepted', () => {
    const limits = rows.flatMap(({ option = '', values = '' }) =>
      (values.match(/(?<=^|from |to )\d+/g) ?? []).map((limit) => ({ option, limit })),
    );
    expect(limits).not.toEqual([]);
    for (const { option, limit } of limits)
      for (const [name] of option.matchAll(/\w+/g)) configOf({ stage: 'prod', [name]: limit });
  });

  test('state the defaults of prod, which has every default', () => {
    const listed = rows.filter((row) => row.default).map((row) => [row.option, row.default]);
    const prod = configOf({ stage: 'prod' });
    const defaults = {
      rollout: `\`${prod.rollout}\``,
      expectedRequestsPerMinute: prod.expectedRequestsPerMinute.toLocaleString('en'),
      authorizerCacheSeconds: `${prod.authorizerCacheSeconds}`,
      throttleRate: `${prod.throttleRate}`,
      apiGatewayLogRole: `\`${prod.apiGatewayLogRole}\``,
    };
    const expected = Object.entries(defaults).map(([name, value]) => [`\`${name}\``, value]);
    expect(listed.sort()).toEqual(expected.sort());
  });
});

describe('synthesis with invalid options', () => {
  const oidc = { oidcIssuer: 'https://id.example', oidcAudience: 'plant-store' };
  const prod = { stage: 'prod' };
  const globalWebAcl = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/plants/0b1c';
  test.each<[name: string, values: string[], others?: Record<string, string>]>([
    ['stage', ['Prod', 'rollout', 'stage', '', 'a23456789012345678901', 'pr_12']],
    ['profile', ['dev']],
    ['data', ['delete'], prod],
    ['rollout', ['slow'], prod],
    ['alarmEmail', ['ops@example.com b', 'ops'], prod],
    ['expectedRequestsPerMinute', ['0', '1.5', 'many', ''], prod],
    ['authorizerCacheSeconds', ['3601', '-1', '1e2', ' ', '60s']],
    [
      'oidcIssuer',
      [
        'http://id.example',
        'id.example',
        'https://a b',
        'https://x?y',
        'https://x#y',
        'https://u@x',
        '',
      ],
      oidc,
    ],
    ['oidcAudience', [''], oidc],
    ['oidcScope', ['a b', 'a"b', 'ä', ''], oidc],
    [
      'domainName',
      ['Api.example.com', 'https://api.example.com', '*.example.com', 'api', 'api.example.com.'],
      domain,
    ],
    ['certificateArn', ['arn:aws:iam::123456789012:x/y'], domain],
    ['hostedZoneId', ['/hostedzone/Z0'], domain],
    ['webAclArn', [globalWebAcl]],
    ['clientRequestsPerMinute', ['9']],
    ['addressRequestsPerMinute', ['9']],
    ['kmsKeyArn', ['arn:aws:kms:eu-west-1:123456789012:alias/plants']],
    ['throttleRate', ['0']],
    [
      'repositoryUrl',
      ['owner/name', 'https://x/', 'https://x/y?z', 'https://x/y#z', 'https://token@x/y'],
    ],
    ['apiGatewayLogRole', ['keep']],
    ['tags', ['team', 'aws:team=plants', '', 'team=plants,cost=1,team=roses']],
  ])(
    'fails if an option has an invalid value, and says which values are expected: %s, %j',
    (name, values, others = {}) => {
      for (const value of values) {
        const config = () => configOf({ ...others, [name]: value });
        expect(config).toThrow(new RegExp(`^${name} must be .{3,}, got "`));
        expect(config).toThrow(`got ${JSON.stringify(value)}`);
      }
    },
  );

  test.each<[Record<string, unknown>, string]>([
    [
      { stage: 'prod', prod: { rollout: 'slow' } },
      'rollout in context.prod of cdk.json must be canary or',
    ],
    [
      { stage: 'pr-12', 'pr-12': { rollout: 'canary' } },
      'rollout cannot be set without the stage prod or',
    ],
    [
      { alarmEmail: 'ops@example.com', expectedRequestsPerMinute: '5' },
      'alarmEmail and expectedRequestsPerMinute cannot be set without the stage prod or profile=prod (got stage dev); add -c profile=prod, or',
    ],
    [
      { stag: 'prod' },
      'unknown option stag (set with -c or under "context" in cdk.json); expected one of stage, profile,',
    ],
    [{ 'alarm.email': 'ops@example.com' }, 'unknown option alarm.email (set with -c'],
    [{ prod: 'ops@example.com' }, 'unknown option prod (set with -c'],
    [{ Prod: {} }, 'unknown option Prod (set with -c'],
    [{ stage: 'pr-1', 'pr-1': [] }, 'unknown option pr-1 (set with -c'],
    [
      { prod: { alarmEmial: 1 }, ...prod },
      'unknown option alarmEmial in context.prod of cdk.json; expected',
    ],
    [{ dev: { stage: 'prod' } }, 'unknown option stage in context.dev of cdk.json'],
    [
      { oidcIssuer: oidc.oidcIssuer, oidcScope: 'a' },
      'oidcIssuer and oidcScope cannot be set without oidcAudience; set oidcAudience too, or remove oidcIssuer and oidcScope',
    ],
    [{ oidcScope: 'a' }, 'oidcScope cannot be set without oidcIssuer and oidcAudience'],
    [{ oidcAudience: 'a' }, 'oidcAudience cannot be set without oidcIssuer'],
    [{ domainName: domain.domainName }, 'domainName cannot be set without certificateArn'],
    [
      { certificateArn: domain.certificateArn },
      'certificateArn cannot be set without domainName; set domainName too, or remove certificateArn',
    ],
    [
      { hostedZoneId: 'Z0123456789ABC' },
      'hostedZoneId cannot be set without domainName and certificateArn',
    ],
    [
      { ...webAcl, clientRequestsPerMinute: '300', addressRequestsPerMinute: '1200' },
      'addressRequestsPerMinute and clientRequestsPerMinute cannot be set with webAclArn; remove webAclArn, or copy',
    ],
  ])('fails, and the message names the option and what is wrong: %j', (options, message) => {
    expect(() => configOf(options)).toThrow(message);
  });
});

test("synthesis accepts unusual values, and the CDK's own context keys", () => {
  const unusual = {
    ...everyOptionOfProd,
    oidcScope: 'plants/write',
    alarmEmail: 'a+b@c-d.e',
    expectedRequestsPerMinute: '9999999',
  };
  // appOf, as all tests use it, sets keys with a colon.
  expect(() => configOf({ ...unusual, '@scope/package.flag': true })).not.toThrow();
});
