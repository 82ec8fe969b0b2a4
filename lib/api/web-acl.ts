import { Stack } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { gatewayErrors } from '../../lambda/shared/errors.ts';
import type { StageConfig } from '../stage-config.ts';

/** Clients get the same response as from the stage's throttle. */
const { throttled } = gatewayErrors;

const AUTHORIZATION = {
  name: 'authorization',
  // The authorizer accepts `bearer` in any case and several spaces, which must not count as another token.
  textTransformations: [
    { priority: 0, type: 'LOWERCASE' },
    { priority: 1, type: 'COMPRESS_WHITE_SPACE' },
  ],
};

/** Adds the configured web ACL, or one with the configured limits, if there are any. */
export function addWebAcl(scope: Construct, { stageArn }: Stage, config: StageConfig): void {
  const webAclArn = config.webAclArn ?? createWebAcl(scope, config)?.attrArn;
  if (webAclArn !== undefined)
    new CfnWebACLAssociation(scope, 'WebAcl', { resourceArn: stageArn, webAclArn });
}

/**
 * Creates a web ACL that limits the requests of each source address and of each token.
 *
 * @see https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based.html
 */
function createWebAcl(scope: Construct, config: StageConfig): CfnWebACL | undefined {
  const byToken = { aggregateKeyType: 'CUSTOM_KEYS', customKeys: [{ header: AUTHORIZATION }] };
  const rules = [
    rateRule('address', 0, config.addressRequestsPerMinute, { aggregateKeyType: 'IP' }),
    rateRule('client', 1, config.clientRequestsPerMinute, byToken),
  ].filter((rule) => rule !== undefined);
  if (rules.length === 0) return undefined;
  return new CfnWebACL(scope, 'RequestLimits', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    customResponseBodies: {
      throttled: {
        contentType: 'APPLICATION_JSON',
        content: JSON.stringify({ error: throttled.code, message: throttled.message }),
      },
    },
    rules,
    visibilityConfig: visibility(Stack.of(scope).stackName),
  });
}

function rateRule(
  name: string,
  priority: number,
  limit: number | undefined,
  aggregation: Omit<CfnWebACL.RateBasedStatementProperty, 'limit'>,
): CfnWebACL.RuleProperty | undefined {
  if (limit === undefined) return undefined;
  const customResponse = {
    responseCode: throttled.status,
    responseHeaders: [{ name: 'Retry-After', value: `${throttled.retryAfterSeconds}` }],
    customResponseBodyKey: 'throttled',
  };
  return {
    name,
    priority,
    statement: { rateBasedStatement: { ...aggregation, limit, evaluationWindowSec: 60 } },
    action: { block: { customResponse } },
    visibilityConfig: visibility(name),
  };
}

function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  // Sampled requests would contain the Authorization header.
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
