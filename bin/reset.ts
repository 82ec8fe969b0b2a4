/** `npm run reset`: deletes the data that `npm start` has stored. */
import { dataDirFrom, deleteData, EmulatorError } from '@plant-store/emulator';
import { DATA_FOLDER } from '../tools/tokens/connect.ts';

const HELP = `Deletes the data that npm start has stored: all plants and tokens in the folder DATA_DIR (.plant-store by default). Stop npm start first.

  npm run reset`;

const [argument] = process.argv.slice(2);
if (argument === '--help') console.log(HELP);
else if (argument === undefined) await reset();
else fail(`expected no arguments, got ${argument}; nothing was deleted`);

async function reset(): Promise<void> {
  try {
    const dataDir = dataDirFrom(process.env, DATA_FOLDER);
    const deleted = await deleteData(dataDir);
    console.log(
      deleted === undefined
        ? `Nothing is stored in ${dataDir}.`
        : `Deleted ${deleted.folder} (${Math.ceil(deleted.bytes / 1000)} KB): all plants and tokens that npm start had stored.`,
    );
  } catch (error) {
    if (!(error instanceof EmulatorError)) throw error;
    fail(error.message);
  }
}

function fail(message: string): void {
  console.error(`reset: ${message}`);
  process.exitCode = 1;
}
