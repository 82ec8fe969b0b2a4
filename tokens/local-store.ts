import { announcedEmulator, dataDirFrom } from '../emulator/index.ts';
import { TOKENS_TABLE_OUTPUT } from '../lib/names.ts';
import { localDynamoDB } from './local-dynamodb.ts';
import { OperatorError } from './operator-error.ts';
import { type TokenStore, tokenStore } from './token-store.ts';

/** The tokens of the running emulator, as it has announced itself. @throws OperatorError */
export async function localTokenStore(env: NodeJS.ProcessEnv): Promise<TokenStore> {
  const dataDir = dataDirFrom(env);
  const stage = await announcedEmulator(dataDir);
  if (stage === undefined) {
    throw new OperatorError(
      `no emulator runs with the data folder ${dataDir}: npm start brings one up, and DATA_DIR names the ` +
        'folder of one that runs with another',
    );
  }
  const table = stage.outputs[TOKENS_TABLE_OUTPUT];
  if (table === undefined) {
    throw new OperatorError(
      'the emulator takes its tokens from an OpenID Connect provider: ask that for one',
    );
  }
  return tokenStore(localDynamoDB(stage.dynamodbEndpoint), table);
}
