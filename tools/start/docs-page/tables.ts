import {
  type AttributeValue,
  DescribeTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { NOT_FROM_AWS, OperatorError } from '../../tokens/errors.ts';

type Item = Record<string, AttributeValue>;

const PAGE_ITEMS = 50;

const NUMBER = String.raw`(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)`;
const STRING = String.raw`("(?:[^"\\]|\\.)*")`;

/** Part of a table. */
export interface TablePage {
  readonly items: readonly StoredItem[];
  /** Where the next page starts; undefined at the end of the table. */
  readonly next: string | undefined;
}

export interface StoredItem {
  /** Identifies the item in its table. */
  readonly key: string;
  /** The value of each attribute in JSON, in which numbers have all their digits. A token has no hash. */
  readonly attributes: readonly (readonly [name: string, json: string])[];
}

/** What a person sees of an attribute. */
export function cellText(json: string): string {
  return json.startsWith('"') ? JSON.parse(json) : json;
}

/** The names of the first hundred tables, in alphabetical order. */
export async function tableNames(client: DynamoDBClient): Promise<readonly string[]> {
  return (await client.send(new ListTablesCommand())).TableNames ?? [];
}

/**
 * Reads a page of a table, in DynamoDB's order, which has no meaning. Since no item has the time of its creation, the
 * first page begins with the items whose keys stand in `bodies`.
 * @param start the `next` of the page before
 * @param bodies JSON of requests, the newest first
 */
export async function readTable(
  client: DynamoDBClient,
  TableName: string,
  start?: string,
  bodies: readonly string[] = [],
): Promise<TablePage> {
  const ExclusiveStartKey: Item | undefined = start === undefined ? undefined : JSON.parse(start);
  const [keyNames, page] = await Promise.all([
    keyOf(client, TableName),
    client.send(new ScanCommand({ TableName, ExclusiveStartKey, Limit: PAGE_ITEMS })),
  ]);
  const keys = start === undefined ? bodies.map((body) => keyIn(body, keyNames)) : [];
  const sent = await Promise.all(keys.map((key) => find(client, TableName, key)));
  const found = [...sent, ...(page.Items ?? [])].filter((item) => item !== undefined);
  const items = found.map((item) => ({
    key: [...keyNames.keys()].map((name) => attributeJson(item[name] ?? { NULL: true })).join(),
    attributes: shownOf(item).map(([name, value]) => [name, attributeJson(value)] as const),
  }));
  return {
    // An item that was sent is in one of the scanned pages too.
    items: [...new Map(items.map((item) => [item.key, item])).values()],
    next: page.LastEvaluatedKey && JSON.stringify(page.LastEvaluatedKey),
  };
}

async function find(client: DynamoDBClient, TableName: string, Key?: Item): Promise<Item | undefined> {
  if (Key === undefined) return undefined;
  try {
    return (await client.send(new GetItemCommand({ TableName, Key }))).Item;
  } catch (error) {
    // What looked like a key is none.
    if (error instanceof Error && error.name === 'ValidationException') return undefined;
    throw error;
  }
}

/** The attributes of a table's key, with the type of each. */
async function keyOf(client: DynamoDBClient, TableName: string): Promise<ReadonlyMap<string, string>> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  // What a proxy or a sign-in page looks like to the SDK.
  if (Table === undefined) throw new OperatorError(NOT_FROM_AWS);
  const types = new Map(
    Table.AttributeDefinitions?.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]),
  );
  return new Map(
    Table.KeySchema?.map(({ AttributeName = '' }) => [AttributeName, types.get(AttributeName) ?? 'S']),
  );
}

/** The key that a body seems to have, with all digits of a number. */
function keyIn(body: string, names: ReadonlyMap<string, string>): Item | undefined {
  const key: Record<string, AttributeValue> = {};
  for (const [name, type] of names) {
    const quoted = JSON.stringify(name).replaceAll(/[^\w"-]/g, '\\$&');
    const found = new RegExp(`${quoted}\\s*:\\s*${type === 'N' ? NUMBER : STRING}`).exec(body)?.[1];
    if (found === undefined) return undefined;
    key[name] = type === 'N' ? { N: found } : { S: JSON.parse(found) };
  }
  return key;
}

/** What a person may see: of a token its id, client and times, and of nothing a hash. */
function shownOf({ hash, ...item }: Item): [string, AttributeValue][] {
  const { id, name, issuedAt, expiresAt } = item;
  if (hash === undefined || id === undefined || issuedAt === undefined) return Object.entries(item);
  return Object.entries({
    id,
    client: name ?? { NULL: true },
    issued: timeOf(issuedAt),
    expires: expiresAt === undefined ? { S: 'never' } : timeOf(expiresAt),
  });
}

/** Seconds since 1970 in ISO 8601. */
function timeOf(value: AttributeValue): AttributeValue {
  const time = new Date(Number(value.N) * 1000);
  return Number.isNaN(time.getTime()) ? value : { S: time.toISOString().replace('.000Z', 'Z') };
}

function attributeJson({ N, NS, L, M, NULL, S, BOOL, SS, B, BS }: AttributeValue): string {
  if (N !== undefined) return N;
  if (NS !== undefined) return `[${NS.join(',')}]`;
  if (L !== undefined) return `[${L.map(attributeJson).join(',')}]`;
  const fields = Object.entries(M ?? {}).map(
    ([name, value]) => `${JSON.stringify(name)}:${attributeJson(value)}`,
  );
  if (M !== undefined) return `{${fields.join(',')}}`;
  if (NULL) return 'null';
  const binary = [...(BS ?? []), ...(B === undefined ? [] : [B])];
  return JSON.stringify(S ?? BOOL ?? SS ?? binary.map((bytes) => Buffer.from(bytes).toString('base64')));
}
