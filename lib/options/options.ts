import { DEFAULT_STAGE, isStageName, PROD, STAGE_NAME_RULE } from '../stage-names.ts';
import {
  issuer,
  matching,
  oneOf,
  tagPairs,
  type ValidValues,
  wholeNumber,
} from './valid-values.ts';

interface Option<Value> extends ValidValues<Value> {
  readonly default?: Value;
  /** The option is useless in a stage without alarms. */
  readonly needsAlarms?: true;
  /** The options without which this one is useless. */
  readonly needs?: readonly string[];
  /** The options that cannot be set with this one, and what else to do. */
  readonly excludes?: { readonly names: readonly string[]; readonly instead: string };
}

/** Every option, which docs/options.md explains. */
export const OPTIONS = {
  stage: {
    expected: `${STAGE_NAME_RULE}, and must not be the name of an option`,
    parse: (value: unknown) =>
      isStageName(value) && !OPTION_NAMES.includes(value) ? value : undefined,
    default: DEFAULT_STAGE,
  },
  profile: oneOf('prod'),
  data: oneOf('keep'),
  rollout: { ...oneOf('canary', 'all-at-once'), needsAlarms: true, default: 'canary' },
  alarmEmail: {
    ...matching(/^[^\s@]+@[^\s@]+$/, 'an email address such as ops@example.com'),
    needsAlarms: true,
  },
  expectedRequestsPerMinute: { ...wholeNumber(1, 9_999_999), needsAlarms: true, default: 1_000 },
  oidcIssuer: { ...issuer, needs: ['oidcAudience'] },
  oidcAudience: { ...matching(/\S/, 'a non-empty string'), needs: ['oidcIssuer'] },
  oidcScope: {
    // RFC 6749 §3.3, `scope-token`.
    ...matching(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'one scope, without spaces or quotes'),
    needs: ['oidcIssuer', 'oidcAudience'],
  },
  // API Gateway allows at most an hour.
  authorizerCacheSeconds: { ...wholeNumber(0, 3600), default: 60 },
  // The default bounds the bill to about $50 a day.
  throttleRate: { ...wholeNumber(1, 9_999_999), default: 100 },
  kmsKeyArn: matching(/^arn:aws[\w-]*:kms:[\w-]+:\d{12}:key\/[\w-]+$/, 'the ARN of a KMS key'),
  domainName: {
    // Lowercase, as API Gateway requires.
    ...matching(
      /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
      'a lowercase domain name such as api.example.com',
    ),
    needs: ['certificateArn'],
  },
  certificateArn: {
    ...matching(
      /^arn:aws[\w-]*:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/,
      'the ARN of an ACM certificate',
    ),
    needs: ['domainName'],
  },
  hostedZoneId: {
    ...matching(/^Z[A-Z0-9]{1,31}$/, 'an id such as Z0123456789ABC'),
    needs: ['domainName', 'certificateArn'],
  },
  webAclArn: {
    // An API Gateway stage can be associated only with a regional AWS WAF v2 web ACL.
    ...matching(
      /^arn:aws[\w-]*:wafv2:[\w-]+:\d{12}:regional\/webacl\/[\w-]+\/[\w-]+$/,
      'the ARN of a regional AWS WAF web ACL',
    ),
    // Each limit creates a web ACL, and a stage can have only one.
    excludes: {
      names: ['addressRequestsPerMinute', 'clientRequestsPerMinute'],
      instead: 'copy the rules into that web ACL (docs/options.md#web-acl)',
    },
  },
  // AWS WAF accepts limits from 10.
  clientRequestsPerMinute: wholeNumber(10, 9_999_999),
  addressRequestsPerMinute: wholeNumber(10, 9_999_999),
  apiGatewayLogRole: { ...oneOf('set', 'leave'), default: 'set' },
  repositoryUrl: matching(
    /^https:\/\/[\w.-]+(\/[\w.~-]{1,100}){1,3}$/,
    'a URL such as https://github.com/OWNER/NAME',
  ),
  tags: { ...tagPairs, default: {} },
} as const satisfies Readonly<Record<string, Option<unknown>>>;

/** The value of each option. */
export type Options = {
  readonly [Name in keyof typeof OPTIONS]: ValueOf<(typeof OPTIONS)[Name]>;
};
type ValueOf<Each> =
  Each extends ValidValues<infer Value>
    ? Value | (Each extends { readonly default: Value } ? never : undefined)
    : never;

/** `OPTIONS`, with any string as the key. Its `satisfies` also checks the type of each default. */
export const optionsByName: Readonly<Record<string, Option<unknown>>> = OPTIONS satisfies {
  readonly [Name in keyof Options]: Option<Options[Name]>;
};

export const OPTION_NAMES: readonly string[] = Object.keys(OPTIONS);

/** Whether a stage has alarms. */
export function hasAlarms(stage: string, profile: unknown): boolean {
  return stage === PROD || profile === 'prod';
}
