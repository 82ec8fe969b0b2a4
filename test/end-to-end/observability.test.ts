import { beforeAll, expect, test } from '@jest/globals';
import { listOperations } from '../../lib/operations.ts';
import { exampleRequests, INVALID_BODY } from '../../tools/contract/example-requests.ts';
import { type ProxiedService, startProxiedService } from '../support/service/service.ts';

let service: ProxiedService;
beforeAll(async () => {
  service = await startProxiedService();
});

/** The request in the operation's example. */
function exampleOf({ method, path: template }: ReturnType<typeof listOperations>[number]) {
  const example = exampleRequests().find(
    (each) => each.method === method && each.template === template,
  );
  return { method, path: example?.path ?? template, body: JSON.stringify(example?.body) };
}

test.each(listOperations())(
  'an operation logs one line without its body, and its entry allows what it does: $operationId',
  async (operation) => {
    const { functionName, tables } = operation;
    const request = exampleOf(operation);
    // Lets API Gateway cache the authorizer's result.
    await service.send({ body: INVALID_BODY });
    const [lines, actions] = [service.log.length, service.proxy.actions.length];
    await service.send(request);

    const logged = service.log.slice(lines);
    const values = request.body?.match(/"[^"]+"(?=[,}\]])/g) ?? [];
    // The function gets the body in base64.
    const encoded = Buffer.from(request.body ?? 'no body').toString('base64');
    for (const secret of [...values, encoded, service.token.slice(-64)])
      expect(logged.join('\n')).not.toContain(secret);
    // Only the functions' lines are JSON.
    const summaries = logged.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    expect(summaries).toMatchObject([
      { service: functionName, stage: 'dev', outcome: expect.not.stringMatching('fault') },
    ]);
    const allowed = tables.flatMap((table) => table.actions);
    // A transaction needs the actions of its items; IAM has none for the transaction itself.
    const sent = service.proxy.actions.slice(actions).filter((each) => !each.includes(':Transact'));
    expect(allowed).toEqual(expect.arrayContaining(sent));
  },
);

test.each(listOperations().filter(({ tables }) => tables.length > 0))(
  'an operation returns 1500 if DynamoDB fails: $operationId',
  async (operation) => {
    await service.send({ body: INVALID_BODY });
    service.proxy.decide = () => 'failed with 500';
    const response = await service.send(exampleOf(operation)).finally(() => {
      service.proxy.decide = () => 'none';
    });
    expect(response).toMatchObject({ status: 400, body: { error: 1500 } });
  },
);
