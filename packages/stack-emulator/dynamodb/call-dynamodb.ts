import { reasonOf, UserError } from '../errors.ts';
import { type JsonObject, objectAt, stringAt } from '../json.ts';

/** Thrown if a command fails. `name` is the name of DynamoDB's error, for example `ResourceNotFoundException`. */
export class DynamoDBError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/**
 * Sends a command to DynamoDB without the SDK, which takes longer to load than the whole emulator takes to start. No
 * local DynamoDB checks the signature.
 *
 * @throws DynamoDBError if the command fails; a different Error if there is no DynamoDB at the endpoint
 */
export async function callDynamoDB(
  endpoint: string,
  operation: string,
  input: JsonObject,
): Promise<JsonObject> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      'x-amz-date': new Date().toISOString().replace(/[-:]|\.\d+/g, ''),
      authorization:
        'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=local',
    },
    body: JSON.stringify(input),
    signal: AbortSignal.timeout(10_000),
  });
  const output = objectAt(JSON.parse(await response.text()), operation);
  if (response.ok) return output;
  const type = stringAt(output.__type, `the __type of ${operation}'s error`);
  const message = String(output.message ?? output.Message ?? type);
  throw new DynamoDBError(type.slice(type.indexOf('#') + 1), message);
}

/** @throws UserError that names DYNAMODB_ENDPOINT if there is no DynamoDB at the endpoint */
export async function assertReachable(endpoint: string): Promise<void> {
  try {
    await callDynamoDB(endpoint, 'ListTables', { Limit: 1 });
  } catch (error) {
    // An error from DynamoDB, even one about the credentials, shows that DynamoDB runs at this endpoint.
    if (error instanceof DynamoDBError) return;
    throw new UserError(
      `No DynamoDB responds at ${endpoint} (${reasonOf(error)}): start DynamoDB there, or set DYNAMODB_ENDPOINT to a URL such as http://127.0.0.1:8000`,
    );
  }
}
