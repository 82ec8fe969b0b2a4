import { Duration } from 'aws-cdk-lib';
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
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { StageConfig } from '../config.ts';
import { bundle } from './bundle/bundle.ts';

export const MEMORY_MB = 512;

export interface NodeFunctionProps {
  /** The function's folder under `lambda/`. */
  readonly name: string;
  readonly description: string;
  readonly environment: Record<string, string>;
  readonly config: StageConfig;
}

/** A function on Node.js that may write its own log and traces, and nothing else until it is granted more. */
export class NodeFunction extends LambdaFunction {
  /** The version in service: what is called, never the function itself, so that a deployment can shift it. */
  readonly live: Alias & IFunction;

  constructor(scope: Construct, id: string, { name, description, environment, config }: NodeFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Log`, {
      retention: config.logRetention,
      removalPolicy: config.removalPolicy,
    });
    // Not the default role, which may write to every log group of the account.
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);

    super(scope, id, {
      description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: bundle(name),
      handler: 'index.handler',
      environment: { ...environment, STAGE: config.stage },
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      tracing: Tracing.ACTIVE,
      memorySize: MEMORY_MB,
      timeout: Duration.seconds(10),
      currentVersionOptions: { removalPolicy: config.removalPolicy },
    });

    const live = this.addAlias('live');
    if (!isFunction(live)) throw new Error(`${id} has no role`);
    this.live = live;

    acknowledge(
      role,
      ['AwsSolutions-IAM5[Resource::*]'],
      'The two X-Ray actions cannot name a resource; every other statement does.',
    );
    acknowledge(
      this,
      ['Serverless-LambdaDLQ', 'Serverless-LambdaAsyncFailureDestination'],
      'API Gateway calls it and waits: there are no asynchronous events that could be lost.',
    );
  }
}

/** The CDK's Alias may lack what its IFunction, read strictly, must have. One of a function with a role doesn't. */
function isFunction(alias: Alias): alias is Alias & IFunction {
  return alias.role !== undefined;
}
