import type { Node } from 'constructs';
import { DEFAULT_STAGE, isStageName, STAGE_NAME_RULE } from './names.ts';
import { SetupError } from './setup-error.ts';

export interface Option<Value> {
  /** The valid values, as messages describe them. */
  readonly expected: string;
  /** @returns undefined if the value is invalid */
  parse(value: unknown): Value | undefined;
}
type OptionTable<Values> = { readonly [Name in keyof Values]: Option<Values[Name]> };

/** The options, which docs/options.md explains. `stageConfig` in config.ts has their defaults. */
const OPTIONS = optionTable({
  stage: {
    expected: `${STAGE_NAME_RULE}, and must not be the name of an option`,
    parse: (value) => (isStageName(value) && !isOption(value) ? value : undefined),
  },
  profile: oneOf('prod'),
  data: oneOf('keep'),
  rollout: oneOf('canary', 'all-at-once'),
  alarmEmail: matching(/^[^\s@]+@[^\s@]+$/, 'an email address such as ops@example.com'),
  expectedRequestsPerMinute: wholeNumber(1, 9_999_999),
  oidcIssuer: { expected: 'an https URL without a query or fragment', parse: parseIssuer },
  oidcAudience: matching(/\S/, 'a non-empty string'),
  // RFC 6749 §3.3, `scope-token`.
  oidcScope: matching(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'one scope, without spaces or quotes'),
  // API Gateway allows at most an hour.
  authorizerCacheSeconds: wholeNumber(0, 3600),
  throttleRate: wholeNumber(1, 9_999_999),
  kmsKeyArn: matching(/^arn:aws[\w-]*:kms:[\w-]+:\d{12}:key\/[\w-]+$/, 'the ARN of a KMS key'),
  // Lowercase, as API Gateway requires.
  domainName: matching(
    /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    'a lowercase domain name such as api.example.com',
  ),
  certificateArn: matching(
    /^arn:aws[\w-]*:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/,
    'the ARN of an ACM certificate',
  ),
  hostedZoneId: matching(/^Z[A-Z0-9]{1,31}$/, 'an id such as Z0123456789ABC'),
  // An API Gateway stage can be associated only with a regional AWS WAF v2 web ACL.
  webAclArn: matching(
    /^arn:aws[\w-]*:wafv2:[\w-]+:\d{12}:regional\/webacl\/[\w-]+\/[\w-]+$/,
    'the ARN of a regional AWS WAF web ACL',
  ),
  // AWS WAF accepts limits from 10.
  clientRequestsPerMinute: wholeNumber(10, 9_999_999),
  addressRequestsPerMinute: wholeNumber(10, 9_999_999),
  apiGatewayLogRole: oneOf('set', 'leave'),
  repositoryUrl: matching(
    /^https:\/\/[\w.-]+(\/[\w.~-]{1,100}){1,3}$/,
    'a URL such as https://github.com/OWNER/NAME',
  ),
  tags: {
    expected: 'KEY=VALUE, or several such pairs with different keys, separated by commas',
    parse: parseTags,
  },
});

/** The value of each option. */
export type Options = typeof OPTIONS extends OptionTable<infer Values> ? Values : never;
/** Returns an option's value, or undefined if it is not set. */
type ReadOption = <Name extends keyof Options>(name: Name) => Options[Name] | undefined;

export const OPTION_NAMES: readonly string[] = Object.keys(OPTIONS);

type Context = Readonly<Record<string, unknown>>;

/**
 * Returns the stage that `-c stage=NAME` selects, and a function that reads an option of that stage. `-c` overrides
 * cdk.json. The function throws a SetupError if the option is invalid.
 *
 * @throws SetupError if the stage is invalid or an option is unknown
 */
export function readOptions(node: Node): { readonly stage: string; readonly option: ReadOption } {
  // Options set with `-c NAME=VALUE`, and options set for all stages under `context` in cdk.json; the CDK merges them.
  const common: Context = node.getAllContext();
  const stage = parse('stage', common.stage ?? DEFAULT_STAGE);
  assertKnown(common, OPTION_NAMES, 'docs/options.md');
  // Ignores the objects of other stages, so that a mistake in one stage does not break another.
  const ofStage = isObject(common[stage]) ? common[stage] : {};
  const place = `in context.${stage} of cdk.json`;
  const names = OPTION_NAMES.filter((name) => name !== 'stage');
  const unknown = Object.keys(ofStage).find((key) => !names.includes(key));
  if (unknown !== undefined) {
    throw new SetupError(`unknown option ${unknown} ${place}; expected one of ${names.join(', ')}`);
  }
  return {
    stage,
    option: (name) => {
      if (common[name] !== undefined) return parse(name, common[name]);
      return ofStage[name] === undefined ? undefined : parse(name, ofStage[name], ` ${place}`);
    },
  };
}

function parse<Name extends keyof Options>(name: Name, value: unknown, where = ''): Options[Name] {
  return parseOption(`${name}${where}`, OPTIONS[name], value);
}

/** @throws SetupError if the value is not valid for the option */
export function parseOption<Value>(name: string, option: Option<Value>, value: unknown): Value {
  const parsed = option.parse(value);
  if (parsed !== undefined) return parsed;
  throw new SetupError(`${name} must be ${option.expected}, got ${JSON.stringify(value)}`);
}

/**
 * Context keys of the CDK and its tools contain `:` or `/`, so any other key must be an option or a stage.
 *
 * @param names the options of the app. Both apps read cdk.json, so each app ignores the options of the other.
 */
export function assertKnown(common: Context, names: readonly string[], page: string): void {
  const isStage = (key: string) => isStageName(key) && isObject(common[key]);
  const isKnown = (key: string) => names.includes(key) || isOption(key) || isStage(key);
  const unknown = Object.keys(common).find((key) => !/[:/]/.test(key) && !isKnown(key));
  if (unknown === undefined) return;
  throw new SetupError(
    `unknown option ${unknown} (set with -c or under "context" in cdk.json); expected one of ${names.join(', ')}, ` +
      `or the name of a stage with an object of its options (see ${page})`,
  );
}

function isOption(key: string): boolean {
  return Object.hasOwn(OPTIONS, key);
}

function isObject(value: unknown): value is Context {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Infers the type of each option's value. */
function optionTable<Values>(options: OptionTable<Values>): OptionTable<Values> {
  return options;
}

function oneOf<const Value extends string>(...values: readonly Value[]): Option<Value> {
  return { expected: values.join(' or '), parse: (text) => values.find((value) => value === text) };
}

export function matching(pattern: RegExp, expected: string): Option<string> {
  return {
    expected,
    parse: (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined),
  };
}

function wholeNumber(min: number, max: number): Option<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    parse: (value) => {
      const number = /^(0|[1-9]\d*)$/.test(String(value)) ? Number(value) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
  };
}

/** OpenID Connect Core 1.0 §2, `iss`. */
function parseIssuer(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value) || /[?#\s]/.test(value)) return undefined;
  const { protocol, username, password } = new URL(value);
  return protocol === 'https:' && `${username}${password}` === '' ? value : undefined;
}

/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-resource-tags.html */
function parseTags(value: unknown): Readonly<Record<string, string>> | undefined {
  const tag = '(?!aws:)[\\w .:/+@-]{1,128}=[\\w .:/+@-]{0,256}';
  if (typeof value !== 'string' || !new RegExp(`^${tag}(,${tag})*$`).test(value)) return undefined;
  const pairs = value.split(',').map((each) => each.split('='));
  const tags = Object.fromEntries(pairs);
  return Object.keys(tags).length === pairs.length ? tags : undefined;
}
