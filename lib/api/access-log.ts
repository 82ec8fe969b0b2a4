import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { FilterPattern, type ILogGroup, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { METRICS_NAMESPACE } from '../../lambda/shared/log/request-log.ts';
import type { StageConfig } from '../stage-config.ts';

/**
 * The metrics that CloudWatch extracts from the access log, with the lines that each metric counts. The functions
 * do not see all of these requests: API Gateway throttles some, and caches the authorizer's rejections.
 */
const FILTERS = {
  // A client that a web ACL limits harms nobody else, so it must not raise an alarm.
  Throttled: '{ ($.status = "429") && ($.gatewayErrorType != "WAF_FILTERED") }',
  // Includes those of a web ACL, whose rules may reject valid requests.
  RejectedCredentials: '{ ($.status = "401") || ($.status = "403") }',
};

export type AccessLogMetric = keyof typeof FILTERS;

/**
 * One JSON line per request, no matter which layer responds, without secrets and without text that the client controls.
 * It omits `$context.error.message`, because for an unknown route, this variable contains the Authorization header.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html
 */
const FORMAT = {
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  stage: '$context.stage',
  sourceIp: '$context.identity.sourceIp',
  tlsVersion: '$context.tlsVersion',
  cipherSuite: '$context.cipherSuite',
  method: '$context.httpMethod',
  resource: '$context.resourcePath',
  status: '$context.status',
  responseLength: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integration.latency',
  integrationStatus: '$context.integration.status',
  integrationError: '$context.integration.error',
  integrationRequestId: '$context.integration.requestId',
  principal: '$context.authorizer.principalId',
  client: '$context.authorizer.client',
  authorizerStatus: '$context.authorizer.status',
  authorizerError: '$context.authorizer.error',
  authorizerLatencyMs: '$context.authorizer.latency',
  authorizerRequestId: '$context.authorizer.requestId',
  gatewayErrorType: '$context.error.responseType',
  traceId: '$context.xrayTraceId',
};

/** The API's access log, and the metrics that CloudWatch extracts from it. */
export class AccessLog extends Construct {
  readonly logGroup: ILogGroup;
  readonly format = AccessLogFormat.custom(JSON.stringify(FORMAT));

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id);
    const { logRetention: retention, logAndVersionRemovalPolicy: removalPolicy } = config;

    this.logGroup = new LogGroup(this, 'Log', { retention, removalPolicy });
    for (const [metricName, pattern] of Object.entries(FILTERS)) {
      new MetricFilter(this, metricName, {
        logGroup: this.logGroup,
        filterPattern: FilterPattern.literal(pattern),
        metricNamespace: METRICS_NAMESPACE,
        metricName,
        metricValue: '1',
        dimensions: { stage: '$.stage' },
      });
    }
  }
}
