import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { stackName } from '../../lib/names.ts';
import { parseOptions, type Target } from '../tokens/arguments.ts';
import { alignColumns } from '../tokens/commands.ts';
import { localDynamoDB, requireEmulator, stageOf } from '../tokens/connect.ts';
import { escaped, OperatorError } from '../tokens/errors.ts';
import { readTable, type SentRequest, type StoredItem, type TablePage, tableNames } from './stored-items.ts';

const CELL_CHARACTERS = 60;

const USAGE = `Lists the stored plants: in a terminal, the first plants as a table; otherwise, all plants as JSON lines.

  npm run plants -- [--local | --stage STAGE]
  npm run --silent plants -- --local | wc -l

  --local        use the emulator on this machine (npm start); plants from the last requests are listed first, starting
                 with the newest
  --stage STAGE  use a deployed stage (default dev), with your AWS credentials and region; the credentials must allow
                 cloudformation:ListStackResources and dynamodb:Scan
  --help         print this text

All other plants are listed in DynamoDB's order, because plants have no timestamps.
`;

/** The logical id of the plants table: its construct id and a hash. */
const PLANTS = /^Plants[0-9A-F]{8}$/;

/**
 * Runs the command. Reads the next page of the table only when the generator's consumer asks for more.
 * @throws OperatorError if an argument is invalid, or if the emulator or the table is not found; the AWS SDK's errors
 *   are not caught
 */
export async function* listPlants(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  isTerminal: boolean,
): AsyncGenerator<string> {
  const { values } = parseOptions(args, 'plants', {
    local: { type: 'boolean' },
    stage: { type: 'string' },
    help: { type: 'boolean' },
  });
  if (values.help) return yield USAGE;
  const { client, name, sent } = await findPlants(values, env);
  const first = await readTable(client, name, sent);
  if (isTerminal) return yield tableOf(first);
  yield linesOf(first.items);
  // Skips the items from the last requests, which are already printed.
  const shown = new Set(first.items.map(String));
  for (let { next } = first; next !== undefined; ) {
    const page = await readTable(client, name, sent, next);
    yield linesOf(page.items.filter((item) => !shown.has(String(item))));
    next = page.next;
  }
}

/** Finds the plants table and, with `--local`, the last requests. */
async function findPlants(target: Target, env: NodeJS.ProcessEnv) {
  const stage = stageOf(target);
  if (stage !== undefined) return findDeployedPlants(stackName(stage));
  const { url, dynamodbEndpoint } = await requireEmulator(env);
  const client = localDynamoDB(dynamodbEndpoint);
  const response = await fetch(`${url}/docs/requests`);
  const sent: readonly SentRequest[] = response.ok ? JSON.parse(await response.text()) : [];
  const name = (await tableNames(client)).find((each) => PLANTS.test(each));
  if (name === undefined)
    throw new OperatorError(
      `there is no plants table in DynamoDB at ${dynamodbEndpoint}: stop npm start and run it again`,
    );
  return { client, name, sent };
}

async function findDeployedPlants(StackName: string) {
  // Imported only here, because these packages take time to load, and --local does not need them.
  const { CloudFormationClient, paginateListStackResources } = await import('@aws-sdk/client-cloudformation');
  const { REQUEST_HANDLER: requestHandler } = await import('../tokens/deployed.ts');
  const cloudFormation = new CloudFormationClient({ requestHandler });
  for await (const page of paginateListStackResources({ client: cloudFormation }, { StackName })) {
    const resources = page.StackResourceSummaries ?? [];
    const name = resources.find(({ LogicalResourceId = '' }) =>
      PLANTS.test(LogicalResourceId),
    )?.PhysicalResourceId;
    if (name !== undefined) return { client: new DynamoDBClient({ requestHandler }), name, sent: [] };
  }
  throw new OperatorError(`the stack ${StackName} has no plants table: deploy it again`);
}

function linesOf(items: readonly StoredItem[]): string {
  const lines = items.map((item) => {
    const fields = item.map(([name, json]) => `${JSON.stringify(name)}:${json}`);
    return `{${fields.join(',')}}\n`;
  });
  return escaped(lines.join(''));
}

function tableOf({ items, next }: TablePage): string {
  const columns = [...new Set(items.flatMap((item) => item.map(([name]) => name)))];
  const rows = items.map((item) => {
    const cells = new Map(item);
    return columns.map((column) => cellOf(cells.get(column) ?? ''));
  });
  const table =
    items.length === 0 ? 'No plants.' : alignColumns([columns.map((name) => name.toUpperCase()), ...rows]);
  return `${table}\n${next ? 'There are more plants: to list all of them, pipe the output, for example to less.\n' : ''}`;
}

/** Returns one line, without control characters. */
function cellOf(json: string): string {
  const value: string = json.startsWith('"') ? JSON.parse(json) : json;
  const text = escaped(value).replaceAll('\n', '\\n');
  return text.length > CELL_CHARACTERS ? `${text.slice(0, CELL_CHARACTERS)}…` : text;
}
