import { Duration } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { bundle } from './bundle.ts';
import type { StageConfig } from './config.ts';

export interface NodeFunctionProps {
  /** The function's folder under `lambda/`. */
  readonly name: string;
  readonly description: string;
  readonly environment: Record<string, string>;
  readonly config: StageConfig;
}

/** A function on Node.js that may write its own log, and nothing else until it is granted more. */
export class NodeFunction extends LambdaFunction {
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
      environment,
      role,
      logGroup,
      memorySize: 512,
      timeout: Duration.seconds(10),
    });
  }
}
