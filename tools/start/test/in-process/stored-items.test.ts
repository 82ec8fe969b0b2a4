import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { listenOnLoopback } from '../../../../test/support/loopback.ts';
import { localDynamoDB } from '../../../tokens/connect.ts';
import { readTable } from '../../stored-items.ts';

/** Reads a table after a successful request, from a server that responds to GetItem with `status` and `item`. */
async function readFrom(status: number, item: object) {
  const responses: Readonly<Record<string, object>> = {
    DescribeTable: { Table: { KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] } },
    GetItem: item,
    Scan: { Items: [{ more: { M: { a: { N: '1' }, b: { N: '2' } } }, name: { S: 'Fern' }, id: { N: '1' } }] },
  };
  const server = createServer(({ headers }, response) => {
    const [, name = ''] = String(headers['x-amz-target']).split('.');
    response.writeHead(name === 'GetItem' ? status : 200).end(JSON.stringify(responses[name]));
  });
  const { url, stop } = await listenOnLoopback(server);
  const client = localDynamoDB(url);
  return readTable(client, 'Plants', [{ status: 200, request: { body: '{"id":1}' } }]).finally(() => {
    client.destroy();
    return stop();
  });
}

test('readTable returns an item once, whatever the order of its attributes', async () => {
  const Item = { id: { N: '1' }, name: { S: 'Fern' }, more: { M: { b: { N: '2' }, a: { N: '1' } } } };
  expect((await readFrom(200, { Item })).items.map(String)).toEqual(['id,1,more,{"a":1,"b":2},name,"Fern"']);
});

test('readTable ignores a key that DynamoDB rejects as invalid, but throws any other error', async () => {
  const failing = (name: string) => readFrom(400, { __type: `com.amazonaws.dynamodb.v20120810#${name}` });
  expect((await failing('ValidationException')).items).toHaveLength(1);
  await expect(failing('AccessDeniedException')).rejects.toMatchObject({ name: 'AccessDeniedException' });
});
