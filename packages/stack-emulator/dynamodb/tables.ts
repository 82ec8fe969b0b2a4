import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../errors.ts';
import { arrayAt, isObject, type JsonObject, objectAt } from '../json.ts';
import type { ResourceProperties } from '../template/intrinsics.ts';
import { callDynamoDB, DynamoDBError } from './call-dynamodb.ts';

interface TableDefinition extends JsonObject {
  readonly TableName: string;
}

/** Parses a table in the template, but drops settings such as capacity. The table's name is its logical id. */
export function parseTable(properties: ResourceProperties): TableDefinition {
  const indexes = (name: string): JsonObject => {
    const found = properties.array(name).map((index) => {
      const { IndexName = '', KeySchema = [], Projection = {} } = objectAt(index, name);
      return { IndexName, KeySchema, Projection };
    });
    return found.length === 0 ? {} : { [name]: found };
  };
  return {
    TableName: properties.logicalId,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: properties.array('AttributeDefinitions'),
    KeySchema: properties.array('KeySchema'),
    ...indexes('GlobalSecondaryIndexes'),
    ...indexes('LocalSecondaryIndexes'),
  };
}

/**
 * Creates a table unless it already exists, and waits until it can be used.
 * @throws UserError if the table cannot be created, or if the existing table has a different key or lacks an index
 */
export async function createTable(table: TableDefinition, endpoint: string): Promise<void> {
  const name = table.TableName;
  await callDynamoDB(endpoint, 'CreateTable', table).catch((error: unknown) => {
    if (!(error instanceof DynamoDBError)) throw error;
    if (error.name === 'ResourceInUseException') return;
    throw new UserError(
      `The table ${name} cannot be created (${error.message}): correct it in the stack`,
    );
  });
  const describe = async () =>
    objectAt((await callDynamoDB(endpoint, 'DescribeTable', { TableName: name })).Table, name);
  let existing = await describe();
  while (existing.TableStatus !== 'ACTIVE') {
    await sleep(2);
    existing = await describe();
  }
  const keys = keysOf(existing);
  const missing = keysOf(table).filter((key) => !keys.includes(key));
  if (missing.length > 0) {
    throw new UserError(
      `The existing table ${name} does not have ${missing.join(' and ')}, which the stack now defines. The emulator ` +
        'cannot change tables: undo the change in the stack, or set DATA_DIR to another folder',
    );
  }
}

/** Describes each key, for example `the key id (N, HASH)` or `the index byTag with the key tag (S, HASH)`. */
function keysOf(table: JsonObject): readonly string[] {
  const objects = (name: string) => arrayAt(table[name], name).filter(isObject);
  const attributes = objects('AttributeDefinitions');
  const indexes = [...objects('GlobalSecondaryIndexes'), ...objects('LocalSecondaryIndexes')];
  return [table, ...indexes].map(({ IndexName, KeySchema = [] }) => {
    const key = arrayAt(KeySchema, 'KeySchema')
      .filter(isObject)
      .map(({ AttributeName, KeyType }) => {
        const attribute = attributes.find((each) => each.AttributeName === AttributeName);
        return `${String(AttributeName)} (${String(attribute?.AttributeType)}, ${String(KeyType)})`;
      });
    return `${IndexName === undefined ? '' : `the index ${String(IndexName)} with `}the key ${key.join(', ')}`;
  });
}
