import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { EndpointType, type IAuthorizer, LambdaIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { StageConfig } from '../config.ts';
import { AccessLog } from './access-log.ts';
import { addGatewayResponses } from './gateway-responses.ts';

export interface PlantsApiProps {
  readonly createPlant: IFunction;
  readonly authorizer: IAuthorizer;
  readonly config: StageConfig;
}

/** The REST API: `POST /plants`, for requests that the authorizer lets through. */
export class PlantsApi extends Construct {
  /** The `{base_url}` of the interface: no slash at its end. */
  readonly baseUrl: string;
  readonly accessLog: AccessLog;

  constructor(scope: Construct, id: string, { createPlant, authorizer, config }: PlantsApiProps) {
    super(scope, id);

    const { region, urlSuffix, stackName } = Stack.of(this);
    this.accessLog = new AccessLog(this, 'AccessLog', config);
    const api = new RestApi(this, 'RestApi', {
      // CloudWatch's metrics know the API by its name: so that must be nobody else's.
      restApiName: stackName,
      description: 'Plant Store',
      // Clients elsewhere are better served by another region of the service than by CloudFront.
      endpointTypes: [EndpointType.REGIONAL],
      // Bodies reach the function as the bytes that were sent: as text, what isn't UTF-8 would be replaced.
      binaryMediaTypes: ['*/*'],
      // An account has one role with which API Gateway writes all its logs, and a new account has none. It
      // stays when the stack goes: others' logs need it.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName: config.stage,
        throttlingRateLimit: config.throttle.rate,
        throttlingBurstLimit: config.throttle.burst,
        accessLogDestination: this.accessLog.destination,
        accessLogFormat: this.accessLog.format,
        tracingEnabled: true,
      },
    });
    const create = api.root
      .addResource('plants')
      .addMethod('POST', new LambdaIntegration(createPlant, { allowTestInvoke: false }), { authorizer });
    addGatewayResponses(api);

    this.baseUrl = `https://${api.restApiId}.execute-api.${region}.${urlSuffix}/${config.stage}`;

    acknowledge(
      api,
      ['AwsSolutions-APIG2'],
      'The function validates each request against openapi.json, ids to the last of 64 bits, which the models of API Gateway cannot.',
    );
    acknowledge(
      api.node.findChild('CloudWatchRole'),
      [
        'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      ],
      'The policy is the one that AWS has for this: API Gateway writes the logs of every API of the account and region with this role, so it can name no log group.',
    );
    acknowledge(
      create,
      ['AwsSolutions-COG4'],
      'The method has an authorizer: access tokens of the service itself, or those of an OpenID Connect provider, which may be Cognito.',
    );
    acknowledge(
      api.deploymentStage,
      ['AwsSolutions-APIG3'],
      'Each request is authorized and throttled, and the validator is the only parser of its body; a web ACL is a choice of the account, and can be put on the stage from outside.',
    );
    acknowledge(
      api.deploymentStage,
      ['AwsSolutions-APIG6'],
      'The access log has each request with the errors of the gateway, authorizer and integration. Execution logs would add request headers, in a log group that is kept for ever outside the stack.',
    );
  }
}
