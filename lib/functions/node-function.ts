import { Duration, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  type Alias,
  Architecture,
  type IFunction,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { FunctionEnv } from '../../lambda/shared/env.ts';
import { acknowledge } from '../nag.ts';
import type { StageConfig } from '../stage-config.ts';
import { BUILDS_KEY } from './bundle/build.ts';
import { functionCode } from './bundle/function-code.ts';
import type { FunctionName } from './function-names.ts';

export const MEMORY_MB = 512;
/** The timeouts in lambda/shared/dynamodb/client.ts are tuned to it. */
const TIMEOUT = Duration.seconds(10);

export const LIVE_ALIAS = 'live';

export interface NodeFunctionProps {
  readonly functionName: FunctionName;
  readonly description: string;
  /** Environment variables in addition to those of `FunctionEnv`, which every function has. */
  readonly environment: Record<string, string>;
  readonly config: StageConfig;
  readonly timeout?: Duration;
}

/**
 * A Node.js function with its log group and role. Without further grants, the role can only write the function's log
 * and traces. This class is not a construct, so that the logical ids of deployed log groups stay the same.
 */
export class NodeFunction {
  readonly functionName: FunctionName;
  readonly lambda: LambdaFunction;
  readonly logGroup: ILogGroup;

  constructor(scope: Construct, id: string, props: NodeFunctionProps) {
    const { functionName, description, environment, config, timeout = TIMEOUT } = props;
    this.functionName = functionName;
    this.logGroup = new LogGroup(scope, `${id}Log`, {
      retention: config.logRetention,
      removalPolicy: config.logAndVersionRemovalPolicy,
    });
    // The CDK's default role could write to every log group in the account.
    const role = new Role(scope, `${id}Role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    this.logGroup.grantWrite(role);

    const builds: unknown = scope.node.tryGetContext(BUILDS_KEY);
    this.lambda = new LambdaFunction(scope, id, {
      description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: functionCode(functionName, typeof builds === 'string' ? builds : undefined),
      handler: 'index.handler',
      environment: { ...environment, STAGE: config.stage } satisfies FunctionEnv,
      role,
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
      tracing: Tracing.ACTIVE,
      memorySize: MEMORY_MB,
      timeout,
      currentVersionOptions: { removalPolicy: config.logAndVersionRemovalPolicy },
    });

    acknowledge(
      role,
      ['AwsSolutions-IAM5[Resource::*]'],
      'The two X-Ray actions do not support resource-level permissions.',
    );
  }
}

/** A function that API Gateway invokes through an alias. */
export class ApiFunction extends NodeFunction {
  /** Invoke this alias, not `lambda`, because a deployment shifts the alias's traffic between versions. */
  readonly alias: Alias & IFunction;

  constructor(scope: Construct, id: string, props: NodeFunctionProps) {
    super(scope, id, props);
    const alias = this.lambda.addAlias(LIVE_ALIAS);
    if (!hasRole(alias)) throw new Error(`the alias of ${props.functionName} has no role`);
    this.alias = alias;

    acknowledge(
      this.lambda,
      ['Serverless-LambdaDLQ', 'Serverless-LambdaAsyncFailureDestination'],
      'API Gateway invokes the function synchronously, so no event can be lost.',
    );
  }
}

/** With `exactOptionalPropertyTypes`, Alias's `role: IRole | undefined` does not match IFunction's `role?: IRole`. */
function hasRole(alias: Alias): alias is Alias & IFunction {
  return alias.role !== undefined;
}

/**
 * Returns the environment variable that sets DynamoDB's endpoint. The SDK would find the endpoint without the variable,
 * but `sam local invoke --env-vars` overrides only variables that the template declares.
 */
export function dynamodbEnv(scope: Construct): { AWS_ENDPOINT_URL_DYNAMODB: string } {
  const { region, urlSuffix } = Stack.of(scope);
  return { AWS_ENDPOINT_URL_DYNAMODB: `https://dynamodb.${region}.${urlSuffix}` };
}
