import { Stack } from 'aws-cdk-lib';
import {
  CfnRestApi,
  EndpointType,
  type IAuthorizer,
  LambdaIntegration,
  LogGroupLogDestination,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { StackOperation } from '../add-operation.ts';
import { acknowledge, acknowledgeLogPolicy } from '../nag.ts';
import { resourceOf } from '../resource-of.ts';
import type { StageConfig } from '../stage-config.ts';
import { AccessLog } from './access-log.ts';
import { ApiDomain } from './api-domain.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { TLS } from './tls.ts';
import { addWebAcl } from './web-acl.ts';

interface ServiceApiProps {
  readonly operations: readonly StackOperation[];
  readonly authorizer: IAuthorizer;
  readonly config: StageConfig;
}

/** The REST API (docs/decisions.md#a-rest-api), with every operation behind the authorizer. */
export class ServiceApi extends Construct {
  /** The URL before an operation's path, without a trailing slash. */
  readonly baseUrl: string;
  readonly dnsTarget: string | undefined;
  readonly accessLog: ILogGroup;

  constructor(scope: Construct, id: string, { operations, authorizer, config }: ServiceApiProps) {
    super(scope, id);
    const { region, urlSuffix, stackName } = Stack.of(this);
    const { stage, domain, apiGatewayLogRole } = config;
    const { logGroup, format } = new AccessLog(this, 'AccessLog', config);
    this.accessLog = logGroup;
    const api = new RestApi(this, 'RestApi', {
      // CloudWatch identifies the API's metrics by this name, so it must be unique in the account.
      restApiName: stackName,
      description: 'Plant Store',
      // Requests do not pass through CloudFront.
      endpointTypes: [EndpointType.REGIONAL],
      // API Gateway passes every body to the function as raw bytes; in a text body, it would replace invalid UTF-8.
      binaryMediaTypes: ['*/*'],
      // API Gateway uses one role to write all logs in an account, and a new account has no such role. By default, the
      // role is retained when the stack is deleted, because the logs of other APIs need it.
      cloudWatchRole: apiGatewayLogRole === 'set',
      disableExecuteApiEndpoint: domain !== undefined,
      deployOptions: {
        stageName: stage,
        throttlingRateLimit: config.throttleRate,
        throttlingBurstLimit: 2 * config.throttleRate,
        accessLogDestination: new LogGroupLogDestination(logGroup),
        accessLogFormat: format,
        tracingEnabled: true,
      },
    });
    // `RestApiProps` lacks these properties, and the default is TLS 1.0.
    Object.assign(resourceOf(api, CfnRestApi), TLS);
    // Removes the CDK's own output, whose URL has a trailing slash.
    api.node.tryRemoveChild('Endpoint');
    for (const { method, path, apiFunction } of operations) {
      const integration = new LambdaIntegration(apiFunction.alias, { allowTestInvoke: false });
      api.root.resourceForPath(path).addMethod(method, integration, { authorizer });
    }
    addGatewayResponses(api);

    if (domain === undefined) {
      this.baseUrl = `https://${api.restApiId}.execute-api.${region}.${urlSuffix}/${stage}`;
    } else {
      this.baseUrl = `https://${domain.name}`;
      this.dnsTarget = new ApiDomain(this, 'Domain', { ...domain, api }).target;
    }
    addWebAcl(this, api.deploymentStage, config);
    acknowledgeFindings(api);
  }
}

function acknowledgeFindings(api: RestApi): void {
  acknowledge(
    api,
    ['AwsSolutions-APIG2'],
    'The function validates every request, including exact 64-bit ids, which API Gateway models cannot check.',
  );
  acknowledgeLogPolicy(api);
  acknowledge(
    api.root,
    ['AwsSolutions-COG4'],
    'Every method has an authorizer. With OpenID Connect, the provider can be Cognito.',
  );
  acknowledge(
    api.deploymentStage,
    ['AwsSolutions-APIG3'],
    'Every request is authorized, throttled and validated. A web ACL has a monthly cost per rule, so it is an option.',
  );
  acknowledge(
    api.deploymentStage,
    ['AwsSolutions-APIG6'],
    'The access log records every request and error. Execution logs would also record request headers, in a log group that is outside the stack and never expires.',
  );
}
