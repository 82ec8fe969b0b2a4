import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { stackName, TOKENS_TABLE_OUTPUT } from '../lib/names.ts';
import { OperatorError } from './operator-error.ts';
import { type TokenStore, tokenStore } from './token-store.ts';

/** An operator waits at the terminal. */
const REQUEST_HANDLER = { connectionTimeout: 5_000, requestTimeout: 15_000, throwOnRequestTimeout: true };

/** The tokens of a deployed stage, with the operator's own AWS credentials and region. @throws OperatorError */
export async function deployedTokenStore(stage: string): Promise<TokenStore> {
  const name = stackName(stage);
  const cloudFormation = new CloudFormationClient({ requestHandler: REQUEST_HANDLER });
  const table = await tokensTableOf(name, cloudFormation);
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ requestHandler: REQUEST_HANDLER }));
  return tokenStore(client, table);
}

async function tokensTableOf(name: string, cloudFormation: CloudFormationClient): Promise<string> {
  const { Stacks = [] } = await cloudFormation
    .send(new DescribeStacksCommand({ StackName: name }))
    .catch(async (error) => {
      if (!isNoSuchStack(error)) throw error;
      const region = await cloudFormation.config.region();
      throw new OperatorError(
        `there is no stack ${name} in ${region}: deploy it, or name another by --stage or AWS_REGION, or say --local for that of npm start`,
      );
    });
  const outputs = Stacks.flatMap(({ Outputs = [] }) => Outputs);
  const table = outputs.find(({ OutputKey }) => OutputKey === TOKENS_TABLE_OUTPUT)?.OutputValue;
  if (table !== undefined) return table;
  throw new OperatorError(
    `the stack ${name} has no output ${TOKENS_TABLE_OUTPUT}: ask its OpenID Connect provider for a token, ` +
      'or where it has none, deploy it again',
  );
}

function isNoSuchStack(error: unknown): boolean {
  return error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message);
}
