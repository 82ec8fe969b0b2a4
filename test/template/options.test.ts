import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { stageConfig } from '../../lib/config.ts';
import { OPTION_NAMES } from '../../lib/options.ts';
import { tableRows } from '../support/code-blocks.ts';
import { edgeOptions, webAcl } from './option-combinations.ts';
import { appOf } from './stack-template.ts';

const project = join(import.meta.dirname, '../..');
const configOf = (context: Record<string, unknown>) => stageConfig(appOf(context).node);
const cacheSeconds = (context: Record<string, unknown>) => configOf(context).authorizerCacheTtl.toSeconds();

describe('options for a stage in cdk.json', () => {
  const prod = { alarmEmail: 'ops@example.com', authorizerCacheSeconds: 300 };

  test('apply to a deployment of that stage', () => {
    expect(configOf({ stage: 'prod', prod }).alarmEmail).toBe('ops@example.com');
    expect(cacheSeconds({ stage: 'prod', prod })).toBe(300);
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

describe('the tables in docs/options.md', () => {
  const rows = tableRows('docs/options.md').filter(({ option }) => option !== undefined);

  test('list every option, and no others', () => {
    // A context key of the CDK's own, such as `@aws-cdk/core:…`, is not an option of ours.
    const listed = rows.flatMap(({ option }) => option?.match(/(?<=`)\w+(?=`)/g) ?? []);
    expect(listed.sort()).toEqual([...OPTION_NAMES].sort());
  });

  test('state the defaults of prod, which has every default', () => {
    const listed = rows.filter((row) => row.default).map((row) => [row.option, row.default]);
    const prod = configOf({ stage: 'prod' });
    const defaults = {
      rollout: `\`${prod.rollout}\``,
      expectedRequestsPerMinute: prod.expectedRequestsPerMinute.toLocaleString('en'),
      authorizerCacheSeconds: `${prod.authorizerCacheTtl.toSeconds()}`,
      throttleRate: `${prod.throttleRate}`,
      apiGatewayLogRole: `\`${prod.apiGatewayLogRole}\``,
    };
    expect(listed).toEqual(Object.entries(defaults).map(([name, value]) => [`\`${name}\``, value]));
  });
});

describe('synthesis with invalid options', () => {
  const oidc = { oidcIssuer: 'https://id.example', oidcAudience: 'plant-store' };
  const domain = edgeOptions['a custom domain'];
  const prod = { stage: 'prod' };
  const stageRule =
    'a name that starts with a lowercase letter, followed by at most 19 lowercase letters, digits or hyphens, and must not be the name of an option';
  const globalWebAcl = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/plants/0b1c';
  const invalid: [string, string, string[], Record<string, string>?][] = [
    ['stage', stageRule, ['Prod', 'rollout', 'stage', '', 'a23456789012345678901', 'pr_12']],
    ['profile', 'prod', ['dev']],
    ['data', 'keep', ['delete'], prod],
    ['rollout', 'canary or all-at-once', ['slow'], prod],
    ['alarmEmail', 'an email address such as ops@example.com', ['ops'], prod],
    ['expectedRequestsPerMinute', 'a whole number from 1 to 9999999', ['0', '1.5', 'many', ''], prod],
    ['authorizerCacheSeconds', 'a whole number from 0 to 3600', ['3601', '-1', '1.5', '1e2', '', ' ', '60s']],
    [
      'oidcIssuer',
      'an https URL without a query or fragment',
      ['http://id.example', 'id.example', 'https://a b', 'https://x?y', 'https://x#y', 'https://u@x', ''],
      oidc,
    ],
    ['oidcAudience', 'a non-empty string', [''], oidc],
    ['oidcScope', 'one scope, without spaces or quotes', ['a b', 'a"b', 'ä', ''], oidc],
    [
      'domainName',
      'a lowercase domain name such as api.example.com',
      ['Api.example.com', 'https://api.example.com', '*.example.com', 'api', 'api.example.com.'],
      domain,
    ],
    ['certificateArn', 'the ARN of an ACM certificate', ['arn:aws:iam::123456789012:x/y'], domain],
    ['hostedZoneId', 'an id such as Z0123456789ABC', ['/hostedzone/Z0'], domain],
    ['webAclArn', 'the ARN of a regional AWS WAF web ACL', [globalWebAcl]],
    ['clientRequestsPerMinute', 'a whole number from 10 to 9999999', ['9']],
    ['addressRequestsPerMinute', 'a whole number from 10 to 9999999', ['9']],
    [
      'kmsKeyArn',
      'the ARN of a KMS key',
      ['alias/plants', 'arn:aws:kms:eu-west-1:123456789012:alias/plants'],
    ],
    ['throttleRate', 'a whole number from 1 to 9999999', ['0']],
    [
      'repositoryUrl',
      'a URL such as https://github.com/OWNER/NAME',
      ['owner/name', 'https://x/', 'https://x/y?z', 'https://x/y#z', 'https://token@x/y'],
    ],
    ['apiGatewayLogRole', 'set or leave', ['keep']],
    [
      'tags',
      'KEY=VALUE, or several such pairs with different keys, separated by commas',
      ['team', 'aws:team=plants', '', 'team=plants,cost=1,team=roses'],
    ],
  ];
  const cases = invalid.flatMap(([name, expected, values, others]) =>
    values.map((value) => [{ ...others, [name]: value }, name, expected, value] as const),
  );

  test.each(cases)(
    'fails, and the message says which value is expected: %j',
    (options, name, expected, value) => {
      expect(() => configOf(options)).toThrow(`${name} must be ${expected}, got ${JSON.stringify(value)}`);
    },
  );

  const names = OPTION_NAMES.filter((name) => name !== 'stage').join(', ');
  const onlyProd = 'cannot be set without the stage prod or profile=prod';
  const orStage = 'or the name of a stage with an object of its options (see docs/options.md)';
  const where = '(set with -c or under "context" in cdk.json)';

  test.each<[Record<string, unknown>, string]>([
    [{ stage: 'prod', prod: { rollout: 'slow' } }, 'rollout in context.prod of cdk.json must be canary or'],
    [
      { alarmEmail: 'ops@example.com' },
      `alarmEmail ${onlyProd} (got stage dev); add -c profile=prod, or move them to context.prod in cdk.json`,
    ],
    [{ stage: 'pr-12', 'pr-12': { rollout: 'canary' } }, `rollout ${onlyProd} (got stage pr-12); add -c`],
    [{ stag: 'prod' }, `unknown option stag ${where}; expected one of stage, ${names}, ${orStage}`],
    [{ 'alarm-email': 'ops@example.com' }, 'unknown option alarm-email (set with -c'],
    [{ 'alarm.email': 'ops@example.com' }, 'unknown option alarm.email (set with -c'],
    [{ prod: 'ops@example.com' }, 'unknown option prod (set with -c'],
    [{ Prod: {} }, 'unknown option Prod (set with -c'],
    [{ stage: 'pr-1', 'pr-1': [] }, 'unknown option pr-1 (set with -c'],
    [
      { prod: { alarmEmial: 1 }, ...prod },
      `unknown option alarmEmial in context.prod of cdk.json; expected one of ${names}`,
    ],
    [{ dev: { stage: 'prod' } }, 'unknown option stage in context.dev of cdk.json'],
    [
      { oidcIssuer: oidc.oidcIssuer, oidcScope: 'a' },
      'oidcIssuer and oidcScope cannot be set without oidcAudience; set oidcAudience too, or remove oidcIssuer and oidcScope',
    ],
    [
      { oidcScope: 'a' },
      'oidcScope cannot be set without oidcIssuer and oidcAudience; set oidcIssuer and oidcAudience too',
    ],
    [
      { domainName: domain.domainName },
      'domainName cannot be set without certificateArn; set certificateArn too',
    ],
    [
      { hostedZoneId: 'Z0123456789ABC' },
      'hostedZoneId cannot be set without domainName and certificateArn; set',
    ],
    [
      { ...webAcl, clientRequestsPerMinute: '300' },
      'clientRequestsPerMinute cannot be set with webAclArn; remove webAclArn, or copy the rules into that web ACL',
    ],
  ])('fails, and the message names the option and what is wrong: %j', (options, message) => {
    expect(() => configOf(options)).toThrow(message);
  });
});

test("synthesis accepts the CDK's own context keys, which contain : or /", () => {
  const keys = {
    'aws:cdk:enable-path-metadata': true,
    '@scope/package.flag': true,
    'hosted-zone:account=1': {},
  };
  expect(() => configOf(keys)).not.toThrow();
});

test('an invalid CDK option is reported in one line with the valid values', () => {
  const output = mkdtempSync(join(tmpdir(), 'plant-store-output-'));
  const env = { ...process.env, CDK_CONTEXT_JSON: '{"stage":"Staging"}', CDK_OUTDIR: output };
  const options = { cwd: project, encoding: 'utf8', env } as const;
  const { stderr, status } = spawnSync(process.execPath, ['bin/plant-store.ts'], options);
  rmSync(output, { recursive: true });
  const line = /^Nothing was synthesized: stage must be a name that starts with .*, got "Staging"\n$/;
  expect([status, stderr]).toEqual([1, expect.stringMatching(line)]);
});
