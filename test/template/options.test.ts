import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { OPTION_NAMES } from '../../lib/options.ts';
import { ofType, type Resource, stackResources } from '../support/template-resources.ts';
import { stackOf } from './stack-template.ts';

const cacheTtl = (context: Record<string, unknown>) =>
  ofType(stackResources(context), 'AWS::ApiGateway::Authorizer').map(
    ({ Properties }) => Properties.AuthorizerResultTtlInSeconds,
  );
const emails = (context: Record<string, unknown>) =>
  ofType(stackResources(context), 'AWS::SNS::Subscription').map(({ Properties }) => Properties.Endpoint);

describe('options that cdk.json has for a stage', () => {
  const prod = { alarmEmail: 'ops@example.com', authorizerCacheSeconds: 300 };

  test('apply to a deployment of that stage', () => {
    expect(emails({ stage: 'prod', prod })).toEqual(['ops@example.com']);
    expect(cacheTtl({ stage: 'prod', prod })).toEqual([300]);
    expect(cacheTtl({ stage: 'pr-12', 'pr-12': { authorizerCacheSeconds: 0 } })).toEqual([0]);
  });

  test('apply to dev if -c names no stage', () => {
    expect(cacheTtl({ dev: { authorizerCacheSeconds: 0 } })).toEqual([0]);
  });

  test('are overridden by -c, each option by itself', () => {
    const overridden = { stage: 'prod', prod, authorizerCacheSeconds: '0' };
    expect(cacheTtl(overridden)).toEqual([0]);
    expect(emails(overridden)).toEqual(['ops@example.com']);
  });

  test('do not change another stage, even if they are wrong', () => {
    for (const options of [
      prod,
      { oidcIssuer: 'https://id.example', oidcAudience: 'a' },
      { alarmEmial: 1 },
    ]) {
      expect(stackResources({ prod: options })).toEqual(stackResources());
    }
  });
});

test('docs/operations.md has each option in its table', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  const cells = page.match(/^\| `\w+`(, `\w+`)* \|/gm)?.join(' ');
  expect(OPTION_NAMES.filter((name) => !cells?.includes(`\`${name}\``))).toEqual([]);
});

describe('a wrong option fails the synth with where it is set and what is expected:', () => {
  const names = OPTION_NAMES.filter((name) => name !== 'stage').join(', ');
  const rule = 'a lowercase letter, then up to 19 lowercase letters, digits or hyphens';

  test.each<[Record<string, unknown>, string]>([
    [{ stage: 'Prod' }, `stage must be ${rule}, and not the name of an option; got "Prod"`],
    [{ stage: 'rollout' }, `and not the name of an option; got "rollout"`],
    [{ stage: 'stage' }, `and not the name of an option; got "stage"`],
    [{ stage: '' }, `stage must be ${rule}, and not the name of an option; got ""`],
    [
      { stage: 'a23456789012345678901' },
      `stage must be ${rule}, and not the name of an option; got "a23456789012345678901"`,
    ],
    [{ stage: 'pr_12' }, `stage must be ${rule}, and not the name of an option; got "pr_12"`],
    [{ stage: 'staging', profile: 'dev' }, 'profile must be prod; got "dev"'],
    [{ stage: 'prod', data: 'delete' }, 'data must be keep; got "delete"'],
    [{ stage: 'prod', rollout: 'slow' }, 'rollout must be canary or all-at-once; got "slow"'],
    [
      { stage: 'prod', prod: { rollout: 'slow' } },
      'rollout in context.prod of cdk.json must be canary or all-at-once; got "slow"',
    ],
    [
      { stage: 'prod', alarmEmail: 'ops' },
      'alarmEmail must be an email address such as ops@example.com; got',
    ],
    [
      { alarmEmail: 'ops@example.com' },
      'only apply to prod and with profile=prod, got stage dev; add -c profile=prod, or move them to context.prod',
    ],
    [
      { stage: 'pr-12', 'pr-12': { rollout: 'canary' } },
      'only apply to prod and with profile=prod, got stage pr-12; add -c profile=prod',
    ],
    [
      { stag: 'prod' },
      `unknown option stag, set by -c or in context of cdk.json; expected one of stage, ${names}`,
    ],
    [{ 'alarm-email': 'ops@example.com' }, 'unknown option alarm-email, set by -c'],
    [{ 'alarm.email': 'ops@example.com' }, 'unknown option alarm.email, set by -c'],
    [{ prod: 'ops@example.com' }, 'unknown option prod, set by -c'],
    [{ Prod: {} }, 'unknown option Prod, set by -c'],
    [
      { stage: 'prod', prod: { alarmEmial: 'ops@example.com' } },
      `unknown option alarmEmial in context.prod of cdk.json; expected one of ${names}`,
    ],
    [{ dev: { stage: 'prod' } }, 'unknown option stage in context.dev of cdk.json'],
    [
      { stage: 'pr-12', 'pr-12': [] },
      'context.pr-12 of cdk.json must be an object with the options of the stage',
    ],
  ])('%j', (options, message) => {
    expect(() => stackOf(options)).toThrow(message);
  });
});

test("context keys of the CDK's own, which contain : or /, are no options", () => {
  const keys = {
    'aws:cdk:enable-path-metadata': true,
    '@scope/package.flag': true,
    'hosted-zone:account=1': {},
  };
  expect(() => stackOf(keys)).not.toThrow();
});

describe('a stage of any name', () => {
  test('may be called as a member of Object.prototype', () => {
    expect(stackOf({ stage: 'constructor' }).stackName).toBe('PlantStore-constructor');
  });

  const name = 'a-2345678901234567-0';
  const resources = stackResources({ stage: name });

  test('has the resources of dev', () => {
    const outline = (all: readonly Resource[]) =>
      all.map(({ Type, DeletionPolicy }) => [Type, DeletionPolicy]);
    expect(outline(resources)).toEqual(outline(stackResources()));
    expect(stackOf({ stage: name }).terminationProtection).toBe(false);
  });

  test('has its own name everywhere: the stack, the API, its stage, the functions and the metrics', () => {
    expect(stackOf({ stage: name }).stackName).toBe(`PlantStore-${name}`);
    expect(JSON.stringify(resources)).not.toMatch(/PlantStore-dev|"dev"/);
    const [api] = ofType(resources, 'AWS::ApiGateway::RestApi');
    const [stage] = ofType(resources, 'AWS::ApiGateway::Stage');
    expect([api?.Properties.Name, stage?.Properties.StageName]).toEqual([`PlantStore-${name}`, name]);
    for (const { Properties } of ofType(resources, 'AWS::Lambda::Function')) {
      expect(Properties.Environment.Variables.STAGE).toBe(name);
    }
    const [dashboard] = ofType(resources, 'AWS::CloudWatch::Dashboard');
    expect(JSON.stringify(dashboard)).toContain(`\\"stage\\",\\"${name}\\"`);
  });
});
