import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';

/** As in events/env.json. */
const DYNAMODB_PORT = 8000;

/** The first SAM CLI, 1.147, that knows the runtime nodejs24.x. */
const SAM_MINOR = 147;

const SAM_DOCS = 'https://docs.aws.amazon.com/serverless-application-model/latest/developerguide';

/** Returns what `sam local` needs and this machine lacks, each with what to do. */
export async function missingForSam(
  env: NodeJS.ProcessEnv,
  dynamodbPort = DYNAMODB_PORT,
): Promise<readonly string[]> {
  const missing = await Promise.all([missingCli(env), missingDocker(env, dynamodbPort)]);
  return missing.filter((line) => line !== undefined);
}

async function missingCli(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const printed = await output('sam', ['--version'], env);
  if (printed === undefined) {
    return `The SAM CLI is not installed: see ${SAM_DOCS}/install-sam-cli.html`;
  }
  const [version = '', major, minor] = /(\d+)\.(\d+)\.\d+/.exec(printed) ?? [];
  if (Number(major) > 1 || Number(minor) >= SAM_MINOR) return undefined;
  return (
    `The SAM CLI ${version} does not know nodejs24.x: upgrade it to 1.${SAM_MINOR} or newer, ` +
    `see ${SAM_DOCS}/manage-sam-cli-versions.html`
  );
}

async function missingDocker(env: NodeJS.ProcessEnv, dynamodbPort: number): Promise<string | undefined> {
  if ((await output('docker', ['--version'], env)) === undefined) {
    return 'Docker is not installed: see https://docs.docker.com/get-started/get-docker/';
  }
  if ((await output('docker', ['info'], env)) === undefined) {
    return 'Docker is installed but not running: start it (see "docker info").';
  }
  const format = '{{range .IPAM.Config}}{{or .Gateway .Subnet}} {{end}}';
  const gateways = (await output('docker', ['network', 'inspect', 'bridge', '--format', format], env)) ?? '';
  return missingDynamoDB(await addressForContainers(gateways.split(/\s+/)), dynamodbPort);
}

async function missingDynamoDB(address: string, port: number): Promise<string | undefined> {
  if (await listens(address, port)) return undefined;
  const command = address === LOOPBACK ? 'npm start' : `HOST=${address} npm start`;
  return address !== LOOPBACK && (await listens(LOOPBACK, port))
    ? `DynamoDB listens on ${LOOPBACK}:${port}, which containers cannot reach: stop npm start, and run "${command}".`
    : `No DynamoDB listens on ${address}:${port}, where containers look for it: run "${command}" in another terminal.`;
}

/** Docker 20 reports only the subnet before its first container. The gateway is then the first address in it. */
const SUBNET_END = /\.0\/\d+$/;

/**
 * Returns the address of this machine at which containers find what they call `host.docker.internal`. It is the
 * gateway of Docker's bridge. If no gateway is an address of this machine, then Docker runs in a virtual machine,
 * as Docker Desktop does, and forwards the name to loopback.
 *
 * @param gateways the gateways, or else the subnets, of the bridge
 */
async function addressForContainers(gateways: readonly string[]): Promise<string> {
  for (const gateway of gateways.map((text) => text.replace(SUBNET_END, '.1'))) {
    if (gateway !== '' && (await isOwnAddress(gateway))) return gateway;
  }
  return LOOPBACK;
}

/** Listens for a moment, because Node does not list the interface of a bridge without containers. */
async function isOwnAddress(host: string): Promise<boolean> {
  const server = createServer().listen({ host, port: 0 });
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/** Returns what a command prints, or undefined if it fails. */
function output(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(command, args, { env, timeout: 20_000 }, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    );
  });
}

function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    const end = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}
