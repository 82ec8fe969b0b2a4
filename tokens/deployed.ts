import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { stackName, TOKENS_TABLE_OUTPUT } from '../lib/names.ts';
import { NOT_FROM_AWS, OperatorError } from './errors.ts';
import { type TokenStore, tokenStore, type Warn } from './token-store.ts';

/** The SDK's defaults would leave the operator waiting for minutes. */
const REQUEST_HANDLER = { connectionTimeout: 5_000, requestTimeout: 15_000, throwOnRequestTimeout: true };

/**
 * Returns the tokens of a deployed stage, with the operator's own AWS credentials and region.
 *
 * @throws OperatorError if the stack does not exist or has no tokens table
 */
export async function deployedTokenStore(stage: string, warn: Warn): Promise<TokenStore> {
  const table = await stackOutput(stage, TOKENS_TABLE_OUTPUT);
  if (table === undefined) {
    throw new OperatorError(
      `the stack ${stackName(stage)} has no output ${TOKENS_TABLE_OUTPUT}: request a token from its OpenID Connect ` +
        'provider, or deploy it again if it has none',
    );
  }
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ requestHandler: REQUEST_HANDLER }));
  return tokenStore(client, table, warn);
}

/**
 * Returns an output of a deployed stage's stack, or undefined if it has no such output.
 *
 * @throws OperatorError if the stack does not exist
 */
export async function stackOutput(stage: string, key: string): Promise<string | undefined> {
  const name = stackName(stage);
  const cloudFormation = new CloudFormationClient({ requestHandler: REQUEST_HANDLER });
  const { Stacks } = await cloudFormation
    .send(new DescribeStacksCommand({ StackName: name }))
    .catch(async (error) => {
      if (!isNoSuchStack(error)) throw error;
      const region = await cloudFormation.config.region();
      throw new OperatorError(
        `no stack ${name} in ${region}: deploy it, choose another with --stage or AWS_REGION, or add --local for the emulator of npm start`,
      );
    });
  // What a sign-in page looks like to the SDK, if it is well-formed XML.
  if (Stacks === undefined) throw new OperatorError(NOT_FROM_AWS);
  const outputs = Stacks.flatMap(({ Outputs = [] }) => Outputs);
  return outputs.find(({ OutputKey }) => OutputKey === key)?.OutputValue;
}

function isNoSuchStack(error: unknown): boolean {
  return error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message);
}
