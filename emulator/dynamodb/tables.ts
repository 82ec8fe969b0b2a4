import { setTimeout as sleep } from 'node:timers/promises';
import { EmulatorError, messageOf } from '../emulator-error.ts';
import { isObject, type Json, type JsonObject, listOf, objectOf } from '../json.ts';
import type { Resolver } from '../template/intrinsics.ts';
import type { Resource } from '../template/template.ts';
import { callDynamoDB, DynamoDBError } from './client.ts';

export function isTable({ type }: Resource): boolean {
  return type === 'AWS::DynamoDB::Table' || type === 'AWS::DynamoDB::GlobalTable';
}

/**
 * Brings a table of the template into being under its logical id, unless it is there.
 * @throws EmulatorError if it is there with another key, or DynamoDB can't be reached
 */
export async function createTable(table: Resource, resolver: Resolver, endpoint: string): Promise<void> {
  const wanted = definition(table, resolver);
  try {
    const present = (await describe(endpoint, table.logicalId)) ?? (await create(endpoint, wanted));
    if (keyOf(present) !== keyOf(wanted)) {
      throw new EmulatorError(
        `The table ${table.logicalId} has the key ${keyOf(present)}, but the template wants ${keyOf(wanted)}: ` +
          'move its data away (DATA_DIR) or take the change back',
      );
    }
    await untilActive(endpoint, table.logicalId, present);
  } catch (error) {
    if (error instanceof EmulatorError) throw error;
    throw new EmulatorError(
      `DynamoDB at ${endpoint} can't give the table ${table.logicalId}: start again, or set DYNAMODB_ENDPOINT to another (${messageOf(error)})`,
    );
  }
}

function definition(table: Resource, resolver: Resolver): JsonObject {
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

/** An index as CreateTable takes it: the rest of CloudFormation's properties is about capacity and metrics. */
function withoutCapacity(index: Json): JsonObject {
  const { IndexName = '', KeySchema = [], Projection = {} } = objectOf(index, 'index');
  return { IndexName, KeySchema, Projection };
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
  const patience = Date.now() + 10_000;
  for (let now: JsonObject = table; now.TableStatus !== 'ACTIVE'; ) {
    if (Date.now() > patience)
      throw new EmulatorError(
        `The table ${name} did not become ACTIVE within 10 s: start again, or look at the DynamoDB`,
      );
    await sleep(2);
    now = (await describe(endpoint, name)) ?? {};
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
