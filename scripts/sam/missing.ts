import { execFile } from 'node:child_process';
import { connect } from 'node:net';

const DYNAMODB_PORT = 8000;

/** Returns what `sam local` needs and this machine lacks, each with what to do. */
export async function missingForSam(env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const [sam, docker, daemon, dynamodb] = await Promise.all([
    runs('sam', '--version', env),
    runs('docker', '--version', env),
    runs('docker', 'info', env),
    listens(DYNAMODB_PORT),
  ]);
  const missing: string[] = [];
  if (!sam)
    missing.push(
      'The SAM CLI is not installed: see https://docs.aws.amazon.com/serverless-application-model/',
    );
  if (!docker) missing.push('Docker is not installed: see https://docs.docker.com/get-started/get-docker/');
  else if (!daemon) missing.push('Docker is installed but not running: start it (see "docker info").');
  if (!dynamodb) {
    missing.push(
      `No DynamoDB listens on port ${DYNAMODB_PORT}: run "HOST=0.0.0.0 npm start" in another terminal.`,
    );
  }
  return missing;
}

function runs(command: string, argument: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(command, [argument], { env, timeout: 20_000 }, (error) => resolve(error === null));
  });
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}
