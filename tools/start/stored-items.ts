import {
  type AttributeValue,
  DescribeTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { NOT_FROM_AWS, OperatorError } from '../tokens/errors.ts';

type Item = Readonly<Record<string, AttributeValue>>;

const PAGE_ITEMS = 50;

/** Matches a JSON field whose value is a string or a number. */
const FIELD = /"([^"\\]+)"\s*:\s*("(?:[^"\\]|\\.)*"|[-+.\deE]+)/g;

/** A page of a table. */
export interface TablePage {
  readonly items: readonly StoredItem[];
  /** Where the next page starts; undefined on the last page. */
  readonly next: string | undefined;
}

/** An item's attributes, with their values in JSON. Numbers keep all their digits; the hash of a token is left out. */
export type StoredItem = readonly (readonly [name: string, json: string])[];

/** A request, in the form that `/docs/requests` returns. */
export interface SentRequest {
  readonly status: number;
  readonly request: { readonly body: string };
}

/** The names of the first 100 tables, in alphabetical order. */
export async function tableNames(client: DynamoDBClient): Promise<readonly string[]> {
  return (await client.send(new ListTablesCommand())).TableNames ?? [];
}

/**
 * Reads a page of a table in DynamoDB's order, which is arbitrary. Because items have no creation time, the first page
 * begins with the items from the last requests, newest first. A later page may contain these items again.
 * @param sent the last requests, oldest first
 * @param start the `next` of the previous page
 */
export async function readTable(
  client: DynamoDBClient,
  TableName: string,
  sent: readonly SentRequest[],
  start?: string,
): Promise<TablePage> {
  const ExclusiveStartKey: Item | undefined = start && JSON.parse(start);
  const [found, { Items, LastEvaluatedKey }] = await Promise.all([
    start === undefined && sent.length > 0 ? findSent(client, TableName, sent) : [],
    client.send(new ScanCommand({ TableName, ExclusiveStartKey, Limit: PAGE_ITEMS })),
  ]);
  // If a proxy or a sign-in page responds instead of DynamoDB, the SDK returns no Items but throws no error.
  if (Items === undefined) throw new OperatorError(NOT_FROM_AWS);
  const items = [...found, ...Items].map((item) =>
    Object.entries(shownOf(sorted(item))).map(([name, value]) => [name, jsonOf(value)] as const),
  );
  return {
    items: [...new Map(items.map((item) => [String(item), item])).values()],
    next: LastEvaluatedKey && JSON.stringify(LastEvaluatedKey),
  };
}

/** Finds the items whose keys appear in the bodies of successful requests, newest first. */
async function findSent(client: DynamoDBClient, TableName: string, sent: readonly SentRequest[]) {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const keyNames = Table?.KeySchema?.map(({ AttributeName = '' }) => AttributeName) ?? [];
  const find = async (body: string) => {
    const fields = new Map([...body.matchAll(FIELD)].map(([, name, json = '']) => [name, json]));
    const key = keyNames.map((name) => [name, attributeOf(fields.get(name))]);
    return (await client.send(new GetItemCommand({ TableName, Key: Object.fromEntries(key) }))).Item;
  };
  const bodies = sent.filter(({ status }) => status < 300).map(({ request }) => request.body);
  // A field that looks like a key may be something else: its value might not be JSON, or DynamoDB might reject it.
  const ignore = (error: unknown) => {
    if (error instanceof Error && /^(SyntaxError|ValidationException)$/.test(error.name)) return undefined;
    throw error;
  };
  const items = await Promise.all(bodies.map((body) => find(body).catch(ignore)));
  return items.filter((item) => item !== undefined).reverse();
}

function attributeOf(json = ''): AttributeValue {
  return json.startsWith('"') ? { S: JSON.parse(json) } : { N: json };
}

/** Sorts an item's attributes, because DynamoDB may return them in a different order in each response. */
function sorted(item: Item): Item {
  return Object.fromEntries(Object.entries(item).toSorted());
}

/** Returns an item without its hash. If the item is a token, returns only its id, client and times. */
function shownOf({ hash, ...item }: Item): Item {
  const { id, name, issuedAt, expiresAt } = item;
  if (hash === undefined || id === undefined || issuedAt === undefined) return item;
  const client = name ?? { NULL: true };
  return { id, client, issued: timeOf(issuedAt), expires: expiresAt ? timeOf(expiresAt) : { S: 'never' } };
}

/** Converts seconds since 1970 to ISO 8601. */
function timeOf(value: AttributeValue): AttributeValue {
  const time = new Date(Number(value.N) * 1000);
  return Number.isNaN(time.getTime()) ? value : { S: time.toISOString().replace('.000Z', 'Z') };
}

function jsonOf({ N, NS, L, M, S, BOOL, SS, B, BS }: AttributeValue): string {
  if (N !== undefined) return N;
  if (NS !== undefined) return `[${NS.join(',')}]`;
  if (L !== undefined) return `[${L.map(jsonOf).join(',')}]`;
  if (M !== undefined)
    return `{${Object.entries(sorted(M)).map(([name, value]) => `${JSON.stringify(name)}:${jsonOf(value)}`)}}`;
  return JSON.stringify(S ?? BOOL ?? SS ?? B ?? BS ?? null, (_, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  );
}
