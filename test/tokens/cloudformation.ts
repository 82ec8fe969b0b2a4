import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { addressOf } from '../../emulator/listen.ts';

/** A fake of CloudFormation's DescribeStacks, in the AWS Query protocol. */
export interface CloudFormation {
  readonly url: string;
  /** The outputs of each stack. */
  stacks: Record<string, Record<string, string>>;
  /** If set, every call fails with this error code. */
  failure: string | undefined;
  stop(): Promise<void>;
}

export async function startCloudFormation(): Promise<CloudFormation> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = addressOf(server.address());
  const cloudFormation: CloudFormation = {
    url: `http://127.0.0.1:${port}`,
    stacks: {},
    failure: undefined,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  server.on('request', async (request, response) => {
    const query = new URLSearchParams(await text(request));
    const name = query.get('StackName') ?? '';
    const outputs = cloudFormation.stacks[name];
    const fail = (status: number, code: string, message: string) =>
      response.writeHead(status, { 'Content-Type': 'text/xml' }).end(errorXml(code, message));
    if (cloudFormation.failure) return fail(403, cloudFormation.failure, 'the reason\nand more');
    if (query.get('Action') !== 'DescribeStacks') return fail(400, 'InvalidAction', 'no such action');
    if (outputs === undefined) return fail(400, 'ValidationError', `Stack with id ${name} does not exist`);
    return response.writeHead(200, { 'Content-Type': 'text/xml' }).end(stackXml(name, outputs));
  });
  return cloudFormation;
}

function stackXml(name: string, outputs: Record<string, string>): string {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult>
    <Stacks><member><StackName>${name}</StackName><StackStatus>CREATE_COMPLETE</StackStatus>
    <CreationTime>2026-11-01T00:00:00Z</CreationTime><Outputs>${members.join('')}</Outputs></member></Stacks>
    </DescribeStacksResult></DescribeStacksResponse>`;
}

function errorXml(code: string, message: string): string {
  return `<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error><Type>Sender</Type>
    <Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;
}
