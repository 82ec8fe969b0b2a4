import type { Node } from 'constructs';
import { DEFAULT_STAGE, isStageName, STAGE_NAME_RULE } from './names.ts';
import {
  isCertificateArn,
  isDomainName,
  isEmail,
  isHostedZoneId,
  isIssuer,
  isScope,
  isWebAclArn,
  MAX_CACHE_SECONDS,
  parseCacheTtl,
  parseCount,
} from './option-values.ts';

const ROLLOUTS = ['canary', 'all-at-once'] as const;
/** How a deployment shifts traffic to a new version: 10 % of the requests first, or all at once. */
export type Rollout = (typeof ROLLOUTS)[number];

const LOG_ROLES = ['set', 'leave'] as const;
/** Whether the stack sets the role with which API Gateway writes all logs of the account, or leaves it. */
export type ApiGatewayLogRole = (typeof LOG_ROLES)[number];

/** A domain name for the API, in place of its execute-api address. */
export interface CustomDomain {
  readonly name: string;
  /** A certificate for the name, in the region of the stack. */
  readonly certificateArn: string;
  /** The Route 53 hosted zone that gets the record. */
  readonly hostedZoneId?: string | undefined;
}

/** The OpenID Connect provider whose tokens are accepted instead of the service's own access tokens. */
export interface OidcProvider {
  /** The `iss` claim of its tokens. */
  readonly issuer: string;
  /** The audience that the `aud` claim of a token must contain. */
  readonly audience: string;
  /** A scope that a token must grant. */
  readonly scope?: string | undefined;
}

export const OPTION_NAMES = [
  'stage',
  'rollout',
  'alarmEmail',
  'expectedRequestsPerMinute',
  'oidcIssuer',
  'oidcAudience',
  'oidcScope',
  'authorizerCacheSeconds',
  'throttleRate',
  'throttleBurst',
  'domainName',
  'certificateArn',
  'hostedZoneId',
  'webAclArn',
  'apiGatewayLogRole',
] as const;
type OptionName = (typeof OPTION_NAMES)[number];

/** An option is wrong: the message says what is wrong, where it is set, and what is expected. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

type Values = Readonly<Record<string, unknown>>;

interface Context {
  /** Set by `-c NAME=VALUE`, or for all stages by `context` in cdk.json: the CDK merges the two. */
  readonly common: Values;
  /** Set for this stage, in an object of its name in `context`. */
  readonly ofStage: Values;
  /** Where `ofStage` is, for messages. */
  readonly place: string;
}

/**
 * Returns the options of the stage that `-c stage=NAME` selects; one that is not set is undefined. `-c` overrides what
 * cdk.json has for the stage.
 *
 * @throws OptionError if an option is unknown, invalid, or requires another
 */
export function readOptions(node: Node) {
  const common: Values = node.getAllContext();
  const { stage = DEFAULT_STAGE } = common;
  if (!isStageName(stage) || isOption(stage)) {
    throw new OptionError(
      `stage must be ${STAGE_NAME_RULE}, and not the name of an option; not ${JSON.stringify(stage)}`,
    );
  }
  assertKnown(common, stage);
  const context = contextOf(stage, common);
  return {
    stage,
    rollout: oneOf(context, 'rollout', ROLLOUTS),
    alarmEmail: matching(context, 'alarmEmail', 'an email address such as ops@example.com', isEmail),
    expectedRequestsPerMinute: count(context, 'expectedRequestsPerMinute'),
    oidc: oidcProvider(context),
    authorizerCacheTtl: option(
      context,
      'authorizerCacheSeconds',
      `whole seconds from 0 to ${MAX_CACHE_SECONDS}`,
      parseCacheTtl,
    ),
    throttleRate: count(context, 'throttleRate'),
    throttleBurst: count(context, 'throttleBurst'),
    domain: customDomain(context),
    webAclArn: matching(context, 'webAclArn', 'the ARN of a regional web ACL of AWS WAF', isWebAclArn),
    apiGatewayLogRole: oneOf(context, 'apiGatewayLogRole', LOG_ROLES),
  };
}

/** Context keys of the CDK and its tools contain `:` or `/`, so any other must be an option or a stage. */
function assertKnown(common: Values, stage: string): void {
  const isStage = (key: string) => key === stage || (isStageName(key) && isObject(common[key]));
  const unknown = Object.keys(common).find((key) => !/[:/]/.test(key) && !isOption(key) && !isStage(key));
  if (unknown === undefined) return;
  throw new OptionError(
    `unknown option ${unknown}, set by -c or in context of cdk.json; expected one of ${OPTION_NAMES.join(', ')}, ` +
      'or an object with the options of a stage (see docs/operations.md)',
  );
}

/** Other stages' objects are not looked into, so that a mistake in one breaks no other stage. */
function contextOf(stage: string, common: Values): Context {
  const place = `context.${stage} of cdk.json`;
  const ofStage = (Object.hasOwn(common, stage) ? common[stage] : undefined) ?? {};
  if (!isObject(ofStage)) throw new OptionError(`${place} must be an object with the options of the stage`);
  const unknown = Object.keys(ofStage).find((key) => key === 'stage' || !isOption(key));
  if (unknown === undefined) return { common, ofStage, place };
  const expected = OPTION_NAMES.filter((name) => name !== 'stage');
  throw new OptionError(`unknown option ${unknown} in ${place}; expected one of ${expected.join(', ')}`);
}

function isOption(key: string): boolean {
  return OPTION_NAMES.some((name) => name === key);
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * @param expected what the option must be
 * @param parse returns undefined if the value is invalid
 */
function option<Value>(
  { common, ofStage, place }: Context,
  name: OptionName,
  expected: string,
  parse: (value: unknown) => Value | undefined,
): Value | undefined {
  const isCommon = common[name] !== undefined;
  const value = isCommon ? common[name] : ofStage[name];
  if (value === undefined) return undefined;
  const parsed = parse(value);
  if (parsed !== undefined) return parsed;
  const where = isCommon ? '' : ` in ${place}`;
  throw new OptionError(`${name}${where} must be ${expected}, not ${JSON.stringify(value)}`);
}

function oidcProvider(context: Context): OidcProvider | undefined {
  const issuer = matching(context, 'oidcIssuer', 'an https URL without a query or fragment', isIssuer);
  const audience = matching(context, 'oidcAudience', 'a string that is not empty', (value) =>
    /\S/.test(value),
  );
  const scope = matching(context, 'oidcScope', 'one scope, without spaces or quotes', isScope);
  if (issuer === undefined && audience === undefined && scope === undefined) return undefined;
  if (issuer === undefined || audience === undefined) {
    throw new OptionError('OpenID Connect requires both oidcIssuer and oidcAudience');
  }
  return { issuer, audience, scope };
}

function customDomain(context: Context): CustomDomain | undefined {
  const name = matching(context, 'domainName', 'a lowercase name such as plants.example.com', isDomainName);
  const certificateArn = matching(
    context,
    'certificateArn',
    'the ARN of an ACM certificate',
    isCertificateArn,
  );
  const hostedZoneId = matching(context, 'hostedZoneId', 'an id such as Z0123456789ABC', isHostedZoneId);
  if (name === undefined && certificateArn === undefined && hostedZoneId === undefined) return undefined;
  if (name === undefined || certificateArn === undefined) {
    throw new OptionError('a custom domain requires both domainName and certificateArn');
  }
  return { name, certificateArn, hostedZoneId };
}

function count(context: Context, name: OptionName): number | undefined {
  return option(context, name, 'a whole number from 1 to 9999999', parseCount);
}

function oneOf<const Value>(context: Context, name: OptionName, values: readonly Value[]): Value | undefined {
  return option(context, name, values.join(' or '), (text) => values.find((value) => value === text));
}

function matching(context: Context, name: OptionName, expected: string, isValid: (value: string) => boolean) {
  const parse = (value: unknown) => (typeof value === 'string' && isValid(value) ? value : undefined);
  return option(context, name, expected, parse);
}
