import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from './loopback.ts';

type Outputs = Readonly<Record<string, string>>;

/** A fake CloudFormation with DescribeStacks. */
export interface CloudFormation {
  /** The environment variables that make the SDK use it, with an operator's credentials. */
  readonly environment: Record<string, string>;
  /** If set, every request fails with this error code. */
  failure: string | undefined;
}

/** @param stacks the outputs of each stack, by the stack's name */
export async function startCloudFormation(
  stacks: Readonly<Record<string, Outputs>>,
): Promise<CloudFormation> {
  const server = createServer(async (request, response) => {
    const name = new URLSearchParams(await text(request)).get('StackName') ?? '';
    const { [name]: outputs } = stacks;
    const { failure } = cloudFormation;
    response.setHeader('Content-Type', 'text/xml');
    if (failure !== undefined) {
      response.writeHead(403).end(errorOf(failure, 'the reason\u202e\nand more'));
    } else if (outputs === undefined) {
      const message = `Stack with id ${name} does not exist`;
      response.writeHead(400).end(errorOf('ValidationError', message));
    } else {
      response.end(descriptionOf(outputs));
    }
  });
  const { url } = await listenOnLoopback(server);
  const environment = {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'operator',
    AWS_SECRET_ACCESS_KEY: 'operator',
    AWS_ENDPOINT_URL_CLOUDFORMATION: url,
  };
  const cloudFormation: CloudFormation = { environment, failure: undefined };
  return cloudFormation;
}

function descriptionOf(outputs: Outputs): string {
  const members = Object.entries(outputs).map(
    ([key, value]) =>
      `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse><DescribeStacksResult>
    <Stacks><member><Outputs>${members.join('')}</Outputs></member></Stacks>
    </DescribeStacksResult></DescribeStacksResponse>`;
}

function errorOf(code: string, message: string): string {
  return `<ErrorResponse><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;
}
