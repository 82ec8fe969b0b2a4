import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from './loopback.ts';

/** The outputs of a stack, by name. */
type Outputs = Readonly<Record<string, string>>;

/** A fake CloudFormation with DescribeStacks. */
export interface CloudFormation {
  /** The environment variables that make the SDK use it, with an operator's credentials. */
  readonly environment: Record<string, string>;
  /** The outputs of each stack, by the stack's name. */
  stacks: Readonly<Record<string, Outputs>>;
  /** If set, every request fails with this error code. */
  failure: string | undefined;
}

export async function startCloudFormation(
  stacks: CloudFormation['stacks'] = {},
): Promise<CloudFormation> {
  const server = createServer(async (request, response) => {
    const query = new URLSearchParams(await text(request));
    const [status, body] = reply(cloudFormation, query);
    response.writeHead(status, { 'Content-Type': 'text/xml' }).end(body);
  });
  const { url } = await listenOnLoopback(server);
  const environment = {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'operator',
    AWS_SECRET_ACCESS_KEY: 'operator',
    AWS_ENDPOINT_URL_CLOUDFORMATION: url,
  };
  const cloudFormation: CloudFormation = { environment, stacks, failure: undefined };
  return cloudFormation;
}

function reply(
  { stacks, failure }: CloudFormation,
  query: URLSearchParams,
): [status: number, xml: string] {
  if (failure !== undefined) return errorOf(403, failure, 'the reason\u202e\nand more');
  const name = query.get('StackName') ?? '';
  const outputs = stacks[name];
  if (outputs === undefined)
    return errorOf(400, 'ValidationError', `Stack with id ${name} does not exist`);
  return [200, descriptionOf(outputs)];
}

function descriptionOf(outputs: Outputs): string {
  const members = Object.entries(outputs).map(
    ([key, value]) =>
      `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/">
    <DescribeStacksResult><Stacks><member><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult>
    </DescribeStacksResponse>`;
}

function errorOf(status: number, code: string, message: string): [status: number, xml: string] {
  return [
    status,
    `<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error>
    <Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
  ];
}
