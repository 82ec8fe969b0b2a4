import { spawnSync } from 'node:child_process';
import { announcedEmulator, dataDirFrom, EmulatorError } from '@plant-store/emulator';
import { DATA_FOLDER } from '../tokens/connect.ts';

/** The same port as in events/env.json. */
const DYNAMODB_PORT = '8000';

const INSTALL =
  'https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/install-sam-cli.html';

/** @throws EmulatorError listing what this machine lacks for `sam local`, and what to do about it */
export async function assertReadyForSam(env: NodeJS.ProcessEnv): Promise<void> {
  const missing: string[] = [];
  if (spawnSync('sam', ['--version'], { env }).status !== 0) {
    missing.push(`The SAM CLI is not installed: see ${INSTALL}`);
  }
  const emulator = await announcedEmulator(dataDirFrom(env, DATA_FOLDER));
  if (URL.parse(emulator?.dynamodbEndpoint ?? '')?.port !== DYNAMODB_PORT) {
    missing.push(
      `npm start is not running with DynamoDB on port ${DYNAMODB_PORT}: run npm start in another terminal; on Linux, run HOST=172.17.0.1 npm start`,
    );
  }
  if (missing.length > 0) throw new EmulatorError(['SAM cannot run yet:', ...missing].join('\n  - '));
}
