import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { addressOf } from '../../emulator/listen.ts';

export interface ListedStack {
  readonly name: string;
  readonly created: Date;
  readonly updated?: Date;
}

/** A fake of CloudFormation's ListStacks that returns one stack a page. */
export async function startStackList(stacks: readonly ListedStack[]) {
  const server = createServer(async (request, response) => {
    const query = new URLSearchParams(await text(request));
    if (query.get('Action') !== 'ListStacks') return response.writeHead(400).end();
    const page = Number(query.get('NextToken') ?? 0);
    const next = page + 1 < stacks.length ? `<NextToken>${page + 1}</NextToken>` : '';
    return response.writeHead(200, { 'Content-Type': 'text/xml' }).end(
      `<ListStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><ListStacksResult>
      <StackSummaries>${stacks
        .slice(page, page + 1)
        .map(memberOf)
        .join('')}</StackSummaries>${next}
      </ListStacksResult></ListStacksResponse>`,
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${addressOf(server.address()).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function memberOf({ name, created, updated }: ListedStack): string {
  const lastUpdated = updated ? `<LastUpdatedTime>${updated.toISOString()}</LastUpdatedTime>` : '';
  return `<member><StackName>${name}</StackName><StackStatus>CREATE_COMPLETE</StackStatus>
    <CreationTime>${created.toISOString()}</CreationTime>${lastUpdated}</member>`;
}
