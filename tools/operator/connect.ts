import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, type TranslateConfig } from '@aws-sdk/lib-dynamodb';
import { announcedEmulator, dataDirFrom, UserError } from '@plant-store/emulator';
import {
  COMMIT_OUTPUT,
  DEFAULT_STAGE,
  isStageName,
  STAGE_NAME_RULE,
  TOKENS_TABLE_OUTPUT,
} from '../../lib/names.ts';
import type { ServiceOptions } from './options.ts';

/** The folder in which `npm start` keeps its data, unless `DATA_DIR` is set. */
export const DATA_FOLDER = '.plant-store';

/**
 * Finds a running service that issues its own tokens. Returns the service's base URL and its tokens table.
 *
 * @throws UserError if the stage has an invalid name or does not exist, if the emulator is not running, or if an
 *   OpenID Connect provider issues the tokens
 */
export async function findService(options: ServiceOptions, env: NodeJS.ProcessEnv) {
  const stage = stageOf(options);
  if (stage !== undefined) {
    // Imported only here, because the CloudFormation client takes time to load, and --local does not need it.
    const { findDeployed } = await import('./deployed.ts');
    return findDeployed(stage);
  }
  const { url, outputs, dynamodbEndpoint } = await requireEmulator(env);
  const tokensTable = outputs[TOKENS_TABLE_OUTPUT];
  if (tokensTable === undefined) {
    throw new UserError(
      'the emulator accepts only tokens from an OpenID Connect provider; get a token from your provider',
    );
  }
  return { url, commit: outputs[COMMIT_OUTPUT], dynamodb: localDynamoDB(dynamodbEndpoint), tokensTable };
}

/**
 * Returns the name of the deployed stage, or undefined for the emulator.
 *
 * @throws UserError if both options are given, or if the stage's name is invalid
 */
export function stageOf({ local, stage }: ServiceOptions): string | undefined {
  if (local && stage !== undefined) {
    throw new UserError('--local and --stage are mutually exclusive; use only one of them');
  }
  if (local) return undefined;
  const name = stage ?? DEFAULT_STAGE;
  if (!isStageName(name)) throw new UserError(`--stage must be ${STAGE_NAME_RULE}, such as prod`);
  return name;
}

/** Returns a client for a local DynamoDB, which requires a region and credentials, but accepts any. */
export function localDynamoDB(endpoint: string, options?: TranslateConfig): DynamoDBDocumentClient {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  return DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint, region: 'us-east-1', credentials }),
    options,
  );
}

/** @throws UserError if no emulator that uses the data folder is running */
export async function requireEmulator(env: NodeJS.ProcessEnv) {
  const dataDir = dataDirFrom(env, DATA_FOLDER);
  const emulator = await announcedEmulator(dataDir);
  if (emulator === undefined) {
    throw new UserError(
      `no emulator is running with the data folder ${dataDir}; run npm start, or set DATA_DIR to the data folder of ` +
        'a running emulator',
    );
  }
  return emulator;
}
