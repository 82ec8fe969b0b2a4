import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The maximum time that init waits for DynamoDB, which responds in a tenth of that time in the same region. */
const TIMEOUT_MS = 250;

/** Replaces the response if DynamoDB cannot be reached. The SDK does not retry after a 400, so init does not wait. */
const EMPTY_RESPONSE = { response: { statusCode: 400, headers: {} } };

/**
 * Runs a command during init, so that its code is compiled and its connection is open before the first request. The
 * command reads and writes nothing, and always fails. Resolves within the time limit.
 */
export async function runWarmUp(
  dynamodb: DynamoDBDocumentClient,
  run: (client: DynamoDBDocumentClient) => Promise<unknown>,
): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, TIMEOUT_MS);
  await Promise.race([run(warmUpClient(dynamodb)).catch(() => undefined), timeout]);
  clearTimeout(timer);
}

/**
 * A client that shares the configuration and connections of the given client and runs the same code, but sends
 * DynamoDB's health check, `GET /`, instead of each request. The response is not the one that a command expects.
 */
function warmUpClient(dynamodb: DynamoDBDocumentClient): DynamoDBDocumentClient {
  const client = DynamoDBDocumentClient.from(dynamodb);
  // A copy, because a step that is added to the given client's own would also change its requests.
  client.middlewareStack = dynamodb.middlewareStack.clone();
  client.middlewareStack.add(
    (send) => (args) => {
      const healthCheck = { method: 'GET', path: '/', headers: {}, body: undefined };
      const request = Object.assign({}, args.request, healthCheck);
      return send({ ...args, request }).catch(() => EMPTY_RESPONSE);
    },
    // The last step before the request is sent.
    { step: 'deserialize', priority: 'low' },
  );
  return client;
}
