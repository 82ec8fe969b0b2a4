import { setTimeout as sleep } from 'node:timers/promises';
import { EmulatorError, messageOf } from '../emulator-error.ts';
import { isObject, type JsonObject, objectAt } from '../json.ts';
import { Properties } from '../properties.ts';
import type { Resolver } from '../template/resolver.ts';
import type { Resource } from '../template/resource.ts';
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
  const properties = resolver.properties(table);
  const indexes = (name: string): JsonObject => {
    const found = properties.array(name);
    const path = `${table.logicalId}.${name}`;
    return found.length === 0 ? {} : { [name]: found.map((index) => withoutCapacity(objectAt(index, path))) };
  };
  return {
    TableName: table.logicalId,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: properties.array('AttributeDefinitions'),
    KeySchema: properties.array('KeySchema'),
    ...indexes('GlobalSecondaryIndexes'),
    ...indexes('LocalSecondaryIndexes'),
  };
}

function withoutCapacity({ IndexName = '', KeySchema = [], Projection = {} }: JsonObject): JsonObject {
  return { IndexName, KeySchema, Projection };
}

/**
 * Creates a table unless it exists.
 * @throws EmulatorError if it exists with another key or without an index, or DynamoDB cannot be reached
 */
export async function createTable(table: TableDefinition, endpoint: string): Promise<void> {
  const name = table.TableName;
  try {
    const existing = (await describe(endpoint, name)) ?? (await create(endpoint, table));
    if (keyOf(existing) !== keyOf(table)) {
      throw new EmulatorError(
        `The table ${name} has the key ${keyOf(existing)}, but the template has ${keyOf(table)}: ` +
          'undo the change in the stack, or start again with another DATA_DIR',
      );
    }
    const missing = indexesOf(table).filter((index) => !indexesOf(existing).includes(index));
    if (missing.length > 0) {
      throw new EmulatorError(
        `The table ${name} exists without the index ${missing.join(', ')}, and the emulator changes no table: ` +
          'start again with another DATA_DIR, or remove the index from the stack',
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
    return objectAt((await callDynamoDB(endpoint, 'DescribeTable', { TableName: name })).Table, name);
  } catch (error) {
    if (error instanceof DynamoDBError && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

async function create(endpoint: string, table: JsonObject): Promise<JsonObject> {
  return objectAt((await callDynamoDB(endpoint, 'CreateTable', table)).TableDescription, 'TableDescription');
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
  const properties = Properties.of(table, 'table');
  const attributes = properties.array('AttributeDefinitions').filter(isObject);
  const describeKey = ({ AttributeName, KeyType }: JsonObject) => {
    const attribute = attributes.find((each) => each.AttributeName === AttributeName);
    return `${String(AttributeName)} (${String(attribute?.AttributeType)}, ${String(KeyType)})`;
  };
  return properties.array('KeySchema').filter(isObject).map(describeKey).join(', ');
}

function indexesOf(table: JsonObject): readonly string[] {
  const properties = Properties.of(table, 'table');
  return [...properties.array('GlobalSecondaryIndexes'), ...properties.array('LocalSecondaryIndexes')]
    .filter(isObject)
    .map(({ IndexName }) => String(IndexName));
}
