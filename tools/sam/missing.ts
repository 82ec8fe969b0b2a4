import { spawnSync } from 'node:child_process';
import { announcedEmulator, dataDirFrom, UserError } from '@plant-store/emulator';
import { DATA_FOLDER, isLoopback } from '../operator/connect.ts';

/** The port in events/env.json. */
const DYNAMODB_PORT = '8000';

/** Docker Desktop forwards containers' connections to loopback; Docker Engine does not. */
const UNREACHABLE =
  'warning: without Docker Desktop, containers cannot reach this DynamoDB, because it listens on loopback: stop npm start, then run HOST=172.17.0.1 npm start';

const INSTALL =
  'https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/install-sam-cli.html';

/**
 * Returns a warning if SAM's containers probably cannot reach DynamoDB.
 * @throws UserError if something that `sam local` needs is missing; the message says how to get it
 */
export async function assertReadyForSam(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  const missing: string[] = [];
  if (spawnSync('sam', ['--version'], { env }).status !== 0) {
    missing.push(`The SAM CLI is not installed: see ${INSTALL}`);
  }
  const emulator = await announcedEmulator(dataDirFrom(env, DATA_FOLDER));
  const dynamodb = URL.parse(emulator?.dynamodbEndpoint ?? '');
  if (dynamodb?.port !== DYNAMODB_PORT) {
    missing.push(
      `npm start is not running with DynamoDB on port ${DYNAMODB_PORT}: in another terminal, run npm start or, on Linux, HOST=172.17.0.1 npm start`,
    );
  }
  if (missing.length > 0) throw new UserError(['cannot run yet:', ...missing].join('\n  - '));
  return platform === 'linux' && isLoopback(dynamodb?.host ?? '') ? UNREACHABLE : undefined;
}
