import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  CfnRestApi,
  EndpointType,
  type IAuthorizer,
  LambdaIntegration,
  LogGroupLogDestination,
  type Method,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { ApiFunction } from '../functions/node-function.ts';
import { acknowledge } from '../nag.ts';
import type { Operation } from '../operations.ts';
import { resourceOf } from '../resource-of.ts';
import { AccessLog, acknowledgeLogPolicy } from './access-log.ts';
import { ApiDomain } from './api-domain.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { TLS } from './tls.ts';

/** An operation with its function. */
export interface DeployedOperation extends Operation {
  readonly function: ApiFunction;
}

interface PlantsApiProps {
  readonly operations: readonly DeployedOperation[];
  readonly authorizer: IAuthorizer;
  readonly config: StageConfig;
}

/** The REST API: every operation behind the authorizer. */
export class PlantsApi extends Construct {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** What a DNS record for the custom domain must point to, if there is one. */
  readonly dnsTarget: string | undefined;
  readonly accessLog: AccessLog;

  constructor(scope: Construct, id: string, props: PlantsApiProps) {
    super(scope, id);
    const { operations, authorizer, config } = props;

    const { region, urlSuffix, stackName } = Stack.of(this);
    const { stage, domain, webAclArn, apiGatewayLogRole } = config;
    this.accessLog = new AccessLog(this, 'AccessLog', config);
    const api = new RestApi(this, 'RestApi', {
      // CloudWatch identifies the API's metrics by this name, so it must be unique in the account.
      restApiName: stackName,
      description: 'Plant Store',
      // No CloudFront: clients elsewhere are better served by the service deployed in another region.
      endpointTypes: [EndpointType.REGIONAL],
      // Bodies reach the function as raw bytes: as text, API Gateway would replace invalid UTF-8.
      binaryMediaTypes: ['*/*'],
      // API Gateway writes all logs of an account with one role, which a new account lacks. It is retained
      // because other APIs' logs need it.
      ...(apiGatewayLogRole === 'set'
        ? { cloudWatchRole: true, cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN }
        : { cloudWatchRole: false }),
      // The custom domain is then the only way in.
      disableExecuteApiEndpoint: domain !== undefined,
      deployOptions: {
        stageName: stage,
        throttlingRateLimit: config.throttle.rate,
        throttlingBurstLimit: config.throttle.burst,
        accessLogDestination: new LogGroupLogDestination(this.accessLog.logGroup),
        accessLogFormat: this.accessLog.format,
        tracingEnabled: true,
      },
    });
    // `RestApiProps` has no such properties, and the default is TLS 1.0.
    Object.assign(resourceOf(api, CfnRestApi), TLS);
    // The CDK's own output of the address, with a trailing slash; the stack has `BaseUrl`.
    api.node.tryRemoveChild('Endpoint');
    const methods = operations.map(({ method, path, function: { alias } }) =>
      api.root
        .resourceForPath(path)
        .addMethod(method, new LambdaIntegration(alias, { allowTestInvoke: false }), { authorizer }),
    );
    addGatewayResponses(api);

    if (domain === undefined) {
      this.baseUrl = `https://${api.restApiId}.execute-api.${region}.${urlSuffix}/${stage}`;
    } else {
      this.baseUrl = `https://${domain.name}`;
      this.dnsTarget = new ApiDomain(this, 'Domain', { ...domain, api }).target;
    }
    if (webAclArn !== undefined) {
      new CfnWebACLAssociation(this, 'WebAcl', { resourceArn: api.deploymentStage.stageArn, webAclArn });
    }

    acknowledgeFindings(api, methods, webAclArn !== undefined);
  }
}

function acknowledgeFindings(api: RestApi, methods: readonly Method[], hasWebAcl: boolean): void {
  acknowledge(
    api,
    ['AwsSolutions-APIG2'],
    'The function validates each request against openapi.json, including exact 64-bit ids, which models of API Gateway cannot check.',
  );
  const logRole = api.node.tryFindChild('CloudWatchRole');
  if (logRole !== undefined) acknowledgeLogPolicy(logRole);
  for (const method of methods) {
    acknowledge(
      method,
      ['AwsSolutions-COG4'],
      'The method has an authorizer: access tokens of the service itself, or those of an OpenID Connect provider, which may be Cognito.',
    );
  }
  if (!hasWebAcl) {
    acknowledge(
      api.deploymentStage,
      ['AwsSolutions-APIG3'],
      'Each request is authorized, throttled and validated. A web ACL costs per rule and month, so it is an option, webAclArn.',
    );
  }
  acknowledge(
    api.deploymentStage,
    ['AwsSolutions-APIG6'],
    'The access log records each request with the errors of API Gateway, authorizer and integration. Execution logs would add request headers, in a log group outside the stack that never expires.',
  );
}
