import { Duration } from 'aws-cdk-lib';
import type { Node } from 'constructs';
import { STAGES, type StageName } from './names.ts';

const ROLLOUTS = ['canary', 'all-at-once'] as const;
/** How a deployment shifts traffic to a new version: 10 % of the requests first, or all at once. */
export type Rollout = (typeof ROLLOUTS)[number];

/** The OpenID Connect provider whose tokens are accepted instead of the service's own access tokens. */
export interface OidcProvider {
  /** The `iss` claim of its tokens. */
  readonly issuer: string;
  /** The audience that the `aud` claim of a token must contain. */
  readonly audience: string;
  /** A scope that a token must grant. */
  readonly scope?: string | undefined;
}

/** The options of `cdk deploy -c NAME=VALUE`; an option that is not set is undefined. */
export interface Options {
  readonly stage: StageName | undefined;
  readonly rollout: Rollout | undefined;
  readonly alarmEmail: string | undefined;
  readonly oidc: OidcProvider | undefined;
  readonly authorizerCacheTtl: Duration | undefined;
}

export const OPTION_NAMES = [
  'stage',
  'rollout',
  'alarmEmail',
  'oidcIssuer',
  'oidcAudience',
  'oidcScope',
  'authorizerCacheSeconds',
] as const;
type OptionName = (typeof OPTION_NAMES)[number];

/** The maximum TTL of API Gateway. */
const MAX_CACHE_SECONDS = 3600;

/** An option of `cdk -c` is wrong: the message says what is wrong and what is expected. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** @throws OptionError if an option is unknown, invalid, or requires another */
export function readOptions(node: Node): Options {
  assertKnown(node);
  return {
    stage: oneOf(node, 'stage', STAGES),
    rollout: oneOf(node, 'rollout', ROLLOUTS),
    alarmEmail: option(node, 'alarmEmail', 'an email address', parseEmail, 'ops@example.com'),
    oidc: oidcProvider(node),
    authorizerCacheTtl: option(
      node,
      'authorizerCacheSeconds',
      `whole seconds from 0 to ${MAX_CACHE_SECONDS}`,
      parseCacheTtl,
    ),
  };
}

/** Context keys of the CDK and its tools contain `:`, `/` or `-`, so a plain word must be an option. */
function assertKnown(node: Node): void {
  const known: readonly string[] = OPTION_NAMES;
  const unknown = Object.keys(node.getAllContext()).find((key) => /^\w+$/.test(key) && !known.includes(key));
  if (unknown === undefined) return;
  throw new OptionError(
    `unknown option ${unknown}; expected one of ${OPTION_NAMES.join(', ')} (see docs/operations.md)`,
  );
}

/**
 * @param expected what the option must be
 * @param parse returns undefined if the value is invalid
 * @param example a valid value for the message
 */
function option<Value>(
  node: Node,
  name: OptionName,
  expected: string,
  parse: (value: unknown) => Value | undefined,
  example?: string,
): Value | undefined {
  const value: unknown = node.tryGetContext(name);
  if (value === undefined) return undefined;
  const parsed = parse(value);
  if (parsed !== undefined) return parsed;
  const hint = example === undefined ? '' : `: -c ${name}=${example}`;
  throw new OptionError(`${name} must be ${expected}, not ${JSON.stringify(value)}${hint}`);
}

function oneOf<Value extends string>(node: Node, name: OptionName, values: readonly Value[]) {
  const parse = (value: unknown) => values.find((allowed) => allowed === value);
  return option(node, name, values.join(' or '), parse, values[0]);
}

function nonEmptyString(
  node: Node,
  name: OptionName,
  expected: string,
  isValid: (value: string) => boolean = () => true,
): string | undefined {
  return option(node, name, expected, (value) => {
    if (typeof value !== 'string') return undefined;
    if (value.trim() === '') throw new OptionError(`${name} must not be empty; set a value, or omit it`);
    return isValid(value) ? value : undefined;
  });
}

function oidcProvider(node: Node): OidcProvider | undefined {
  const issuer = nonEmptyString(node, 'oidcIssuer', 'an https URL without a query or fragment', isIssuer);
  const audience = nonEmptyString(node, 'oidcAudience', 'a string');
  const scope = nonEmptyString(node, 'oidcScope', 'one scope, without spaces or quotes', isScope);
  if (issuer === undefined && audience === undefined && scope === undefined) return undefined;
  if (issuer === undefined || audience === undefined) {
    throw new OptionError('OpenID Connect requires both -c oidcIssuer=https://… and -c oidcAudience=…');
  }
  return { issuer, audience, scope };
}

/** OpenID Connect Core 1.0 §2, `iss`. */
function isIssuer(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url?.protocol === 'https:' && url.username === '' && !/[?#\s]/.test(value);
}

/** RFC 6749 §3.3, `scope-token`. */
function isScope(value: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value);
}

function parseEmail(value: unknown): string | undefined {
  return typeof value === 'string' && /^[^\s@]+@[^\s@]+$/.test(value) ? value : undefined;
}

function parseCacheTtl(value: unknown): Duration | undefined {
  const seconds = /^\d{1,4}$/.test(String(value)) ? Number(value) : Number.NaN;
  return seconds <= MAX_CACHE_SECONDS ? Duration.seconds(seconds) : undefined;
}
