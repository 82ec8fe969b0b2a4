import { Stack } from 'aws-cdk-lib';
import { type IAuthorizer, LambdaIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { StageConfig } from './config.ts';
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

  constructor(scope: Construct, id: string, { createPlant, authorizer, config }: PlantsApiProps) {
    super(scope, id);

    const api = new RestApi(this, 'RestApi', {
      description: 'Plant Store',
      deployOptions: {
        stageName: config.stage,
        throttlingRateLimit: config.throttle.rate,
        throttlingBurstLimit: config.throttle.burst,
      },
    });
    api.root
      .addResource('plants')
      .addMethod('POST', new LambdaIntegration(createPlant, { allowTestInvoke: false }), { authorizer });
    addGatewayResponses(api);

    const { region, urlSuffix } = Stack.of(this);
    this.baseUrl = `https://${api.restApiId}.execute-api.${region}.${urlSuffix}/${config.stage}`;
  }
}
