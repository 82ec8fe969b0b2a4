import { setTimeout as sleep } from 'node:timers/promises';
import { EmulatorError, messageOf } from '../emulator-error.ts';
import { isObject, type Json, type JsonObject, listOf, objectOf } from '../json.ts';
import type { Resolver } from '../template/intrinsics.ts';
import type { Resource } from '../template/template.ts';
import { callDynamoDB, DynamoDBError } from './client.ts';

export function isTable({ type }: Resource): boolean {
  return type === 'AWS::DynamoDB::Table' || type === 'AWS::DynamoDB::GlobalTable';
}

/** The input of CreateTable. */
export interface TableDefinition extends JsonObject {
  readonly TableName: string;
}

/** A table of the template under its logical id; its properties that are about capacity or metrics are left out. */
export function parseTable(table: Resource, resolver: Resolver): TableDefinition {
  const property = (name: string) => resolver.property(table, name);
  const indexes = (name: string): JsonObject => {
    const found = listOf(property(name), `${table.logicalId}.${name}`);
    return found.length === 0 ? {} : { [name]: found.map(withoutCapacity) };
  };
  return {
    TableName: table.logicalId,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: property('AttributeDefinitions') ?? [],
    KeySchema: property('KeySchema') ?? [],
    ...indexes('GlobalSecondaryIndexes'),
    ...indexes('LocalSecondaryIndexes'),
  };
}

function withoutCapacity(index: Json): JsonObject {
  const { IndexName = '', KeySchema = [], Projection = {} } = objectOf(index, 'index');
  return { IndexName, KeySchema, Projection };
}

/**
 * Creates a table unless it exists.
 * @throws EmulatorError if it exists with another key, or DynamoDB cannot be reached
 */
export async function createTable(table: TableDefinition, endpoint: string): Promise<void> {
  const name = table.TableName;
  try {
    const existing = (await describe(endpoint, name)) ?? (await create(endpoint, table));
    if (keyOf(existing) !== keyOf(table)) {
      throw new EmulatorError(
        `The table ${name} has the key ${keyOf(existing)}, but the template has ${keyOf(table)}: ` +
          'move its data away (DATA_DIR), or undo the change in lib/',
      );
    }
    await untilActive(endpoint, name, existing);
  } catch (error) {
    if (error instanceof EmulatorError) throw error;
    throw new EmulatorError(
      `DynamoDB at ${endpoint} cannot create the table ${name}: start again, or set DYNAMODB_ENDPOINT to another (${messageOf(error)})`,
    );
  }
}

async function describe(endpoint: string, name: string): Promise<JsonObject | undefined> {
  try {
    return objectOf((await callDynamoDB(endpoint, 'DescribeTable', { TableName: name })).Table, name);
  } catch (error) {
    if (error instanceof DynamoDBError && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

async function create(endpoint: string, table: JsonObject): Promise<JsonObject> {
  return objectOf((await callDynamoDB(endpoint, 'CreateTable', table)).TableDescription, 'TableDescription');
}

async function untilActive(endpoint: string, name: string, table: JsonObject): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (let current = table; current.TableStatus !== 'ACTIVE'; ) {
    if (Date.now() > deadline)
      throw new EmulatorError(
        `The table ${name} did not become ACTIVE within 10 s: start again, or check DynamoDB`,
      );
    await sleep(2);
    current = (await describe(endpoint, name)) ?? {};
  }
}

/** `id (N, HASH)` */
function keyOf(table: JsonObject): string {
  const attributes = listOf(table.AttributeDefinitions, 'AttributeDefinitions').filter(isObject);
  const keys = listOf(table.KeySchema, 'KeySchema').filter(isObject);
  const typeOf = (name: Json | undefined) =>
    attributes.find(({ AttributeName }) => AttributeName === name)?.AttributeType;
  return keys
    .map(
      (key) => `${String(key.AttributeName)} (${String(typeOf(key.AttributeName))}, ${String(key.KeyType)})`,
    )
    .join(', ');
}
