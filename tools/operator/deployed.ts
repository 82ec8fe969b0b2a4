import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { UserError } from '@plant-store/emulator';
import { BASE_URL_OUTPUT, COMMIT_OUTPUT, stackName, TOKENS_TABLE_OUTPUT } from '../../lib/names.ts';
import { LOCAL_HINT } from './errors.ts';

/** With the SDK's default timeouts, the operator would wait for minutes if AWS did not respond. */
export const REQUEST_HANDLER = {
  connectionTimeout: 5_000,
  requestTimeout: 15_000,
  throwOnRequestTimeout: true,
};

/**
 * Finds the service of a deployed stage, with the operator's own AWS credentials and region.
 *
 * @throws UserError if the stack does not exist or has no tokens table
 */
export async function findDeployed(stage: string) {
  const stack = stackName(stage);
  const cloudFormation = new CloudFormationClient({ requestHandler: REQUEST_HANDLER });
  const { Stacks: [{ Outputs = [] } = {}] = [] } = await cloudFormation
    .send(new DescribeStacksCommand({ StackName: stack }))
    .catch(async (error) => {
      if (error.name !== 'ValidationError' || !/does not exist/.test(error.message)) throw error;
      const region = await cloudFormation.config.region();
      throw new UserError(
        `no stack ${stack} in ${region}: deploy it, select a different stage with --stage or a different region with ` +
          `AWS_REGION, or, ${LOCAL_HINT}`,
      );
    });
  const output = (key: string) => Outputs.find(({ OutputKey }) => OutputKey === key)?.OutputValue;
  const tokensTable = output(TOKENS_TABLE_OUTPUT);
  if (tokensTable === undefined) {
    throw new UserError(
      `the stack ${stack} has no output ${TOKENS_TABLE_OUTPUT}: if the stack uses an OpenID Connect provider, get a ` +
        'token from that provider; otherwise, deploy the stack again',
    );
  }
  const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient({ requestHandler: REQUEST_HANDLER }));
  return { url: output(BASE_URL_OUTPUT), commit: output(COMMIT_OUTPUT), dynamodb, tokensTable };
}
