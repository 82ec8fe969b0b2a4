import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { dataDirFrom, findEmulator } from 'stack-emulator';
// These two modules do not load the CDK, which takes a second.
import { OUTPUTS } from '../../lib/outputs.ts';
import { DEFAULT_STAGE, isStageName, STAGE_NAME_RULE, stackName } from '../../lib/stage-names.ts';
import { LOCAL_HINT, UserError } from './failures.ts';

/** The folder in which `npm start` keeps its data, unless `DATA_DIR` is set. */
export const DEFAULT_DATA_DIR = '.plant-store';

/** Select the service that a command connects to; by default, the stage `dev`. */
export interface ConnectionOptions {
  readonly local?: boolean | undefined;
  readonly stage?: string | undefined;
}

/** A deployed stage or the running emulator. */
export interface Connection {
  /** The outputs of the stack, by name. The emulator's `BaseUrl` is its own URL. */
  readonly outputs: Readonly<Record<string, string | undefined>>;
  readonly dynamodb: DynamoDBDocumentClient;
}

/**
 * Connects to the service that the options select.
 *
 * @throws UserError if both options are given, if the stage has an invalid name or does not exist, or if the emulator
 *   is not running
 */
export async function connect(
  { local, stage }: ConnectionOptions,
  env: NodeJS.ProcessEnv,
): Promise<Connection> {
  if (!local) return findStage(stage ?? DEFAULT_STAGE);
  if (stage !== undefined) {
    throw new UserError('--local and --stage are mutually exclusive; use only one of them');
  }
  const dataDir = dataDirFrom(env, DEFAULT_DATA_DIR);
  const emulator = await findEmulator(dataDir);
  if (emulator === undefined) {
    throw new UserError(
      `no emulator is running with the data folder ${dataDir}; run npm start, or set DATA_DIR to the data folder of ` +
        'a running emulator',
    );
  }
  return {
    outputs: { ...emulator.outputs, [OUTPUTS.baseUrl]: emulator.url },
    dynamodb: localDynamoDB(emulator.dynamodbEndpoint),
  };
}

/** @throws UserError if the service has no such output */
export function requireOutput(
  { outputs }: Connection,
  name: string,
  advice = 'deploy the stage again',
): string {
  const value = outputs[name];
  if (value === undefined) throw new UserError(`the stack has no output ${name}; ${advice}`);
  return value;
}

/** Returns a client for a local DynamoDB, which requires a region and credentials, but accepts any. */
export function localDynamoDB(endpoint: string): DynamoDBDocumentClient {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  return DynamoDBDocumentClient.from(client);
}

async function findStage(stage: string): Promise<Connection> {
  if (!isStageName(stage)) throw new UserError(`--stage must be ${STAGE_NAME_RULE}, such as prod`);
  // Imported here, because it loads slowly, and --local does not need it.
  const { CloudFormationClient, DescribeStacksCommand } = await import(
    '@aws-sdk/client-cloudformation'
  );
  // With the SDK's defaults, the operator would wait minutes if AWS did not respond.
  const requestHandler = {
    connectionTimeout: 5_000,
    requestTimeout: 15_000,
    throwOnRequestTimeout: true,
  };
  const cloudFormation = new CloudFormationClient({ requestHandler });
  const StackName = stackName(stage);
  const { Stacks: [stack] = [] } = await cloudFormation
    .send(new DescribeStacksCommand({ StackName }))
    .catch(async (error) => {
      if (error.name !== 'ValidationError' || !/does not exist/.test(error.message)) throw error;
      const region = await cloudFormation.config.region();
      throw new UserError(
        `no stack ${StackName} in ${region}: deploy it, select a different stage with --stage or a different region ` +
          `with AWS_REGION, or, ${LOCAL_HINT}`,
      );
    });
  const outputs =
    stack?.Outputs?.map(({ OutputKey = '', OutputValue }) => [OutputKey, OutputValue]) ?? [];
  const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient({ requestHandler }));
  return { outputs: Object.fromEntries(outputs), dynamodb };
}
