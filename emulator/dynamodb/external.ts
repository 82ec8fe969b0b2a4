import { EmulatorError, messageOf } from '../emulator-error.ts';
import { callDynamoDB, DynamoDBError } from './client.ts';

/** @throws EmulatorError naming DYNAMODB_ENDPOINT, unless a DynamoDB answers there */
export async function reachDynamoDB(endpoint: string): Promise<string> {
  try {
    await callDynamoDB(endpoint, 'ListTables', { Limit: 1 });
  } catch (error) {
    // That was an answer, if only to say that it wants other credentials.
    if (error instanceof DynamoDBError) return endpoint;
    throw new EmulatorError(
      `No DynamoDB answers at ${endpoint}: start it there, or change DYNAMODB_ENDPOINT (${messageOf(error)})`,
    );
  }
  return endpoint;
}
