/** `npm run reset`: deletes the data that `npm start` has stored. */
import { dataDirFrom, deleteData, UserError } from '@plant-store/emulator';
import { DATA_FOLDER } from '../tools/operator/connect.ts';
import { runCommand } from '../tools/operator/run-command.ts';

await runCommand('reset', async () => {
  if (process.argv.length > 2) {
    throw new UserError(
      'takes no arguments; deletes all plants and tokens that npm start has stored in the folder DATA_DIR (.plant-store by default)',
    );
  }
  const dataDir = dataDirFrom(process.env, DATA_FOLDER);
  const print = (folder: string) => console.log(`Deleting all local plants and tokens: ${folder}`);
  if (!(await deleteData(dataDir, print))) console.log(`Nothing is stored in ${dataDir}.`);
});
