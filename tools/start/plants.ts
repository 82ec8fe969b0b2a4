import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { UserError } from '@plant-store/emulator';
import { stackName } from '../../lib/names.ts';
import { localDynamoDB, requireEmulator, stageOf } from '../operator/connect.ts';
import { escaped } from '../operator/errors.ts';
import { parseOptions } from '../operator/options.ts';

const USAGE = `Lists the stored plants as JSON lines, in DynamoDB's order.

  npm run --silent plants -- [--local | --stage STAGE]

  --local        use the emulator on this machine (npm start)
  --stage STAGE  use a deployed stage (default dev), with your AWS credentials and region; the credentials must allow
                 cloudformation:DescribeStackResource and dynamodb:Scan
  --help         print this text
`;

/** The logical id of the plants table, which is also its name in the emulator. */
const PLANTS = 'PlantsF7D2F15D';

/** @throws UserError if an argument is invalid, or if the emulator or the table is not found */
export async function* listPlants(args: readonly string[], env: NodeJS.ProcessEnv): AsyncGenerator<string> {
  const { values } = parseOptions(args, 'plants', {});
  if (values.help) return yield USAGE;
  const { client, TableName } = await plantsTable(stageOf(values), env);
  for await (const { Items = [] } of paginateScan({ client }, { TableName }))
    yield escaped(Items.map(({ id, ...fields }) => `${JSON.stringify({ id, ...fields })}\n`).join(''));
}

async function plantsTable(stage: string | undefined, env: NodeJS.ProcessEnv) {
  // Keeps all digits.
  const options = { unmarshallOptions: { wrapNumbers: JSON.rawJSON } };
  if (stage === undefined) {
    const { dynamodbEndpoint } = await requireEmulator(env);
    return { client: localDynamoDB(dynamodbEndpoint, options), TableName: PLANTS };
  }
  // Imported only here, because these packages take time to load, and --local does not need them.
  const { CloudFormationClient, DescribeStackResourceCommand } = await import(
    '@aws-sdk/client-cloudformation'
  );
  const { REQUEST_HANDLER: requestHandler } = await import('../operator/deployed.ts');
  const { StackResourceDetail } = await new CloudFormationClient({ requestHandler }).send(
    new DescribeStackResourceCommand({ StackName: stackName(stage), LogicalResourceId: PLANTS }),
  );
  const TableName = StackResourceDetail?.PhysicalResourceId;
  if (TableName === undefined) throw new UserError(`the stack of stage ${stage} has no plants table`);
  return { client: DynamoDBDocumentClient.from(new DynamoDBClient({ requestHandler }), options), TableName };
}
