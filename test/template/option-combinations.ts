import type { OPTION_NAMES } from '../../lib/options.ts';
import { casesOr } from '../support/random-cases.ts';

export type Options = Partial<Record<(typeof OPTION_NAMES)[number], string>>;

const oidc = { oidcIssuer: 'https://id.example', oidcAudience: 'plant-store', oidcScope: 'plants:write' };
const domain = {
  domainName: 'plants.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0',
};

/** The options that decide who can reach the API, and how. */
export const edgeOptions = {
  'a custom domain': domain,
  'a custom domain with its record': { ...domain, hostedZoneId: 'Z0123456789ABC' },
  'a web ACL': { webAclArn: 'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/plants/0b1c2d3e-4f50' },
  'a different throttle': { throttleRate: '1000', throttleBurst: '500' },
  "the account's own log role": { apiGatewayLogRole: 'leave' },
} satisfies Record<string, Options>;

export const everyEdgeOption: Options = Object.assign({}, ...Object.values(edgeOptions));

export const everyOptionOfProd: Options = {
  ...everyEdgeOption,
  ...oidc,
  stage: 'prod',
  alarmEmail: 'ops@example.com',
  expectedRequestsPerMinute: '5000',
  authorizerCacheSeconds: '300',
  tags: 'team=plants,cost-center=42',
};

/** The choices for each option; `{}` omits the option. */
const choices: readonly (readonly Options[])[] = [
  [{}, { authorizerCacheSeconds: '0' }],
  [{}, oidc],
  [{}, edgeOptions['a custom domain'], edgeOptions['a custom domain with its record']],
  [{}, edgeOptions['a web ACL']],
  [{}, edgeOptions['a different throttle']],
  [{}, edgeOptions["the account's own log role"]],
  [{}, { tags: everyOptionOfProd.tags }],
];
const choicesWithAlarms: readonly (readonly Options[])[] = [
  ...choices,
  [{}, { alarmEmail: 'ops@example.com' }],
  [{}, { expectedRequestsPerMinute: '5000' }],
  [{ rollout: 'canary' }, { rollout: 'all-at-once' }],
];
const keptRehearsal: Options = { stage: 'live', profile: 'prod', data: 'keep', rollout: 'all-at-once' };

/**
 * The combinations with the fewest and the most options. `CASES=1000` adds combinations that together contain every
 * pair of choices, because testing every combination would take too long.
 */
export const combinations: readonly Options[] = [
  { stage: 'dev' },
  everyOptionOfProd,
  keptRehearsal,
  ...[
    ...pairwise([[{ stage: 'dev' }, { stage: 'pr-12', data: 'keep' }], ...choices]),
    ...pairwise([
      [{ stage: 'prod' }, { stage: 'staging', profile: 'prod' }, keptRehearsal],
      ...choicesWithAlarms,
    ]),
  ].slice(0, casesOr(0)),
];

/** Returns combinations that together contain every pair of choices. */
function pairwise(factors: readonly (readonly Options[])[]): readonly Options[] {
  const found = new Set<string>();
  const product = factors.reduce<readonly (readonly Options[])[]>(
    (rows, factor) => rows.flatMap((row) => factor.map((choice) => [...row, choice])),
    [[]],
  );
  // Neighboring combinations share most pairs. Stepping by a prime number still visits every combination, but finds new
  // pairs sooner.
  const mixed = product.map((_, at) => product[(at * 7919) % product.length] ?? []);
  const rows = mixed.filter((row) => {
    const chosen = row.map((options, factor) => `${factor} ${JSON.stringify(options)}`);
    const pairs = chosen.flatMap((one, at) => chosen.slice(at + 1).map((other) => `${one} ${other}`));
    const isNew = pairs.some((pair) => !found.has(pair));
    for (const pair of pairs) found.add(pair);
    return isNew;
  });
  return rows.map((row) => Object.assign({}, ...row));
}
