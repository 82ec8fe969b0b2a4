import type { OPTION_NAMES } from '../../lib/options/options.ts';

export type Options = Partial<Record<(typeof OPTION_NAMES)[number], string>>;

const oidc = {
  oidcIssuer: 'https://id.example/',
  oidcAudience: 'plant-store',
  oidcScope: 'plants:write',
};
/** A custom domain, without its DNS record. */
export const domain = {
  domainName: 'plants.example.com',
  certificateArn:
    'arn:aws:acm:eu-west-1:123456789012:certificate/0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0',
};

/** A key for the tables. */
export const key = {
  kmsKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/mrk-0b1c2d3e4f5061728394a5b6c7d8e9f0',
};

/** The option that cannot be set with limits. */
export const webAcl = {
  webAclArn: 'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/plants/0b1c2d3e',
};

/** The options that decide who can reach the API, and how. */
export const everyEdgeOption: Options = {
  ...domain,
  hostedZoneId: 'Z0123456789ABCDEFGHIJ',
  addressRequestsPerMinute: '1200',
  clientRequestsPerMinute: '300',
  throttleRate: '10000',
  apiGatewayLogRole: 'leave',
};

export const everyOptionOfProd: Options = {
  ...everyEdgeOption,
  ...oidc,
  ...key,
  stage: 'prod',
  alarmEmail: 'ops@example.com',
  expectedRequestsPerMinute: '5000',
  authorizerCacheSeconds: '0',
  repositoryUrl: 'https://github.com/example/plant-store',
  tags: 'team=a.b and c,cost-center=42',
};

/** The combinations with the fewest and the most options. */
export const combinations: readonly Options[] = [
  { stage: 'dev' },
  everyOptionOfProd,
  { stage: 'live', profile: 'prod', data: 'keep', rollout: 'all-at-once', ...webAcl },
];
