/**
 * A DynamoDB stub that runs as a process and serves HTTPS. It keeps plants in memory, returns InternalServerError for
 * an item named `fail`, and prints its port.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { isDeepStrictEqual } from 'node:util';

type Item = Record<string, { S?: string; N?: string }>;

const [keyFile = '', certFile = '', tokensFile = ''] = process.argv.slice(2);
const tokens: Record<string, Item> = JSON.parse(readFileSync(tokensFile, 'utf8'));
const plants = new Map<string, Item>();

const server = createServer(
  { key: readFileSync(keyFile), cert: readFileSync(certFile) },
  async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const operation = String(request.headers['x-amz-target']).replace(/^.*\./, '');
    const [status, body] = text === '' ? [200, 'healthy'] : reply(operation, JSON.parse(text));
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  },
);

function reply(operation: string, input: { Item?: Item; Key?: Item }): [number, object] {
  const { Item, Key } = input;
  if (JSON.stringify(Item ?? Key).includes('"fail"')) return error(500, 'InternalServerError');
  if (operation === 'GetItem') return [200, { Item: tokens[Key?.id?.S ?? ''] }];
  const id = Item?.id?.N;
  if (Item === undefined || id === undefined) return error(400, 'ValidationException');
  const present = plants.get(id);
  if (present === undefined) plants.set(id, Item);
  else if (!isDeepStrictEqual(present, Item)) return error(400, 'ConditionalCheckFailedException');
  return [200, present === undefined ? {} : { Attributes: present }];
}

function error(status: number, name: string): [number, object] {
  return [status, { __type: `com.amazonaws.dynamodb.v20120810#${name}` }];
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(address.port);
});
