import type { OPTION_NAMES } from '../../lib/options.ts';
import { casesOr } from '../support/random-cases.ts';

export type Options = Partial<Record<(typeof OPTION_NAMES)[number], string>>;

const oidc = { oidcIssuer: 'https://id.example', oidcAudience: 'plant-store', oidcScope: 'plants:write' };
const domain = {
  domainName: 'plants.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0',
};

/** The options of who may reach the API, and how. */
export const edgeOptions = {
  'a custom domain': domain,
  'a custom domain with its record': { ...domain, hostedZoneId: 'Z0123456789ABC' },
  'a web ACL': { webAclArn: 'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/plants/0b1c2d3e-4f50' },
  'another throttle': { throttleRate: '1000', throttleBurst: '500' },
  "the account's own logging role": { apiGatewayLogRole: 'leave' },
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

/** The values of each option; `{}` leaves it out. */
const choices: readonly (readonly Options[])[] = [
  [{}, { authorizerCacheSeconds: '0' }],
  [{}, oidc],
  [{}, edgeOptions['a custom domain'], edgeOptions['a custom domain with its record']],
  [{}, edgeOptions['a web ACL']],
  [{}, edgeOptions['another throttle']],
  [{}, edgeOptions["the account's own logging role"]],
  [{}, { tags: everyOptionOfProd.tags }],
];
const choicesWithAlarms: readonly (readonly Options[])[] = [
  ...choices,
  [{}, { alarmEmail: 'ops@example.com' }],
  [{}, { expectedRequestsPerMinute: '5000' }],
  [{ rollout: 'canary' }, { rollout: 'all-at-once' }],
];

/** With `CASES=100`, each two choices occur together in at least one combination: all would be a thousand. */
export const combinations: readonly Options[] = [
  ...pairwise([[{ stage: 'dev' }, { stage: 'pr-12', data: 'keep' }], ...choices]),
  ...pairwise([
    [
      { stage: 'prod' },
      { stage: 'staging', profile: 'prod' },
      { stage: 'live', profile: 'prod', data: 'keep' },
    ],
    ...choicesWithAlarms,
  ]),
];

/** Takes the combination with the most pairs that none before it has, until every pair is in one, or there are enough. */
function pairwise(factors: readonly (readonly Options[])[]): readonly Options[] {
  const rows = product(factors).map((row) => ({ row, pairs: pairsOf(row) }));
  const missing = new Set(rows.flatMap(({ pairs }) => pairs));
  const taken: Options[] = [];
  while (missing.size > 0 && taken.length < casesOr(3)) {
    const gain = ({ pairs }: (typeof rows)[number]) => pairs.filter((pair) => missing.has(pair)).length;
    const best = rows.reduce((a, b) => (gain(b) > gain(a) ? b : a));
    for (const pair of best.pairs) missing.delete(pair);
    taken.push(Object.assign({}, ...best.row));
  }
  return taken;
}

function pairsOf(row: readonly Options[]): readonly string[] {
  const chosen = row.map((options, factor) => `${factor} ${JSON.stringify(options)}`);
  return chosen.flatMap((one, index) => chosen.slice(index + 1).map((other) => `${one} ${other}`));
}

function product(factors: readonly (readonly Options[])[]): readonly (readonly Options[])[] {
  return factors.reduce<readonly (readonly Options[])[]>(
    (rows, factor) => rows.flatMap((row) => factor.map((choice) => [...row, choice])),
    [[]],
  );
}
