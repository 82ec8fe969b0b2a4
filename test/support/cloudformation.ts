import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from './loopback.ts';

export interface FakeStack {
  readonly outputs?: Readonly<Record<string, string>>;
}

/** A fake CloudFormation with DescribeStacks and DescribeStackResource. */
export interface CloudFormation {
  readonly url: string;
  /** The stacks, by name. */
  stacks: Readonly<Record<string, FakeStack>>;
  /** If set, every request fails with this error code. */
  failure: string | undefined;
  stop(): Promise<void>;
}

export async function startCloudFormation(stacks: CloudFormation['stacks'] = {}): Promise<CloudFormation> {
  const server = createServer(async (request, response) => {
    const query = new URLSearchParams(await text(request));
    const [status, body] = reply(cloudFormation, query);
    response.writeHead(status, { 'Content-Type': 'text/xml' }).end(body);
  });
  const { url, stop } = await listenOnLoopback(server);
  const cloudFormation: CloudFormation = { url, stacks, failure: undefined, stop };
  return cloudFormation;
}

function reply({ stacks, failure }: CloudFormation, query: URLSearchParams): [status: number, xml: string] {
  if (failure !== undefined) return errorOf(403, failure, 'the reason\nand more');
  const name = query.get('StackName') ?? '';
  const stack = stacks[name];
  const missing = errorOf(400, 'ValidationError', `Stack with id ${name} does not exist`);
  switch (query.get('Action')) {
    case 'DescribeStacks':
      return stack ? resultOf('DescribeStacks', `<Stacks>${memberOf(name, stack)}</Stacks>`) : missing;
    case 'DescribeStackResource': {
      if (stack === undefined) return missing;
      const id = query.get('LogicalResourceId');
      const detail = `<StackResourceDetail><PhysicalResourceId>${id}</PhysicalResourceId></StackResourceDetail>`;
      return resultOf('DescribeStackResource', detail);
    }
    default:
      return errorOf(400, 'InvalidAction', 'no such action');
  }
}

function memberOf(name: string, { outputs = {} }: FakeStack): string {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<member><StackName>${name}</StackName><StackStatus>CREATE_COMPLETE</StackStatus>
    <CreationTime>${new Date().toISOString()}</CreationTime><Outputs>${members.join('')}</Outputs></member>`;
}

function resultOf(action: string, content: string): [status: number, xml: string] {
  return [
    200,
    `<${action}Response xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><${action}Result>${content}
    </${action}Result></${action}Response>`,
  ];
}

function errorOf(status: number, code: string, message: string): [status: number, xml: string] {
  return [
    status,
    `<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error><Type>Sender</Type>
    <Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
  ];
}
