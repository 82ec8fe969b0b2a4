import { isObject, type JsonObject, objectOf, parseJson, textOf } from '../json.ts';

/** A failed call: `name` is DynamoDB's, for example `ResourceNotFoundException`. */
export class DynamoDBError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/**
 * One call of DynamoDB's JSON protocol. The SDK would take longer to load than the whole stage takes to start;
 * no local DynamoDB checks the signature.
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
  const output = objectOf(parseJson(await response.text()), operation);
  if (response.ok) return output;
  const type = textOf(output.__type, '__type');
  if (type === undefined) throw new Error(`status ${response.status}, as no DynamoDB answers`);
  const message = output.message ?? output.Message ?? type;
  throw new DynamoDBError(type.slice(type.indexOf('#') + 1), isObject(message) ? type : String(message));
}
