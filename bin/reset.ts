/** `npm run reset`: deletes what `npm start` has stored. */
import { dataDirFrom, deleteData, EmulatorError } from '@plant-store/emulator';
import { DATA_FOLDER } from '../tools/tokens/connect.ts';

try {
  const dataDir = dataDirFrom(process.env, DATA_FOLDER);
  const deleted = await deleteData(dataDir);
  console.log(
    deleted === undefined
      ? `Nothing is stored in ${dataDir}.`
      : `Deleted ${deleted.folder} (${Math.ceil(deleted.bytes / 1000)} KB): all plants and tokens of npm start.`,
  );
} catch (error) {
  if (!(error instanceof EmulatorError)) throw error;
  console.error(`reset: ${error.message}`);
  process.exitCode = 1;
}
