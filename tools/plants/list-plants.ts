import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { tableOutput } from '../../lib/outputs.ts';
import { connect, requireOutput } from '../command-line/connect.ts';
import { parseOptions } from '../command-line/parse-options.ts';
import { escaped } from '../json.ts';

const HELP = `Lists the stored plants as JSON lines, in DynamoDB's order.

  npm run --silent plants -- [--local | --stage STAGE]

  --local        use the emulator on this machine (npm start)
  --stage STAGE  use a deployed stage (default dev), with your AWS credentials and region; the credentials must allow
                 cloudformation:DescribeStacks and dynamodb:Scan
`;

/** @throws UserError if an argument is invalid, or if the emulator or the table is not found */
export async function* listPlants(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): AsyncGenerator<string> {
  const { values } = parseOptions(args, 'plants', {});
  if (values.help) return yield HELP;
  const connection = await connect(values, env);
  const TableName = requireOutput(connection, tableOutput('Plants'));
  for await (const { Items = [] } of paginateScan({ client: connection.dynamodb }, { TableName }))
    yield escaped(Items.map(lineOf).join(''));
}

function lineOf({ id, ...fields }: Record<string, unknown>): string {
  return `${JSON.stringify({ id, ...fields }, exactInteger)}\n`;
}

/** The SDK returns an integer beyond 2^53 as a bigint. */
function exactInteger(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value;
}
