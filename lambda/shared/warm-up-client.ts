import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * A client that reads and writes nothing. It does all that the real one does, and shares its configuration
 * and connections; but in the place of each request it sends `GET /`, which DynamoDB answers to anyone with
 * a line of text. That is no reply to a command, so every command of this client ends in an error.
 */
export function rehearse(client: DynamoDBDocumentClient): DynamoDBDocumentClient {
  const rehearsal = DynamoDBDocumentClient.from(client);
  rehearsal.middlewareStack = client.middlewareStack.clone();
  rehearsal.middlewareStack.add(
    (next) => (args) => next({ ...args, request: harmless(args.request) }).catch(() => NO_REPLY),
    { step: 'deserialize', priority: 'low' },
  );
  return rehearsal;
}

/** A store that can't be reached isn't tried again: init doesn't wait for it. */
const NO_REPLY = { response: { statusCode: 400, headers: {} } };

/** Asks the same host for nothing. */
function harmless(request: unknown): object {
  return Object.assign({}, request, { method: 'GET', path: '/', headers: {}, body: undefined });
}
