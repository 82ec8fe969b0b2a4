/** `npm run plants`: lists the stored plants. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { runCommand } from '../tools/command-line/run-command.ts';
import { listPlants } from '../tools/plants/list-plants.ts';

await runCommand('plants', async () => {
  const output = listPlants(process.argv.slice(2), process.env);
  await pipeline(Readable.from(output), process.stdout, { end: false }).catch((error) => {
    // The process that reads the output, such as `head`, has exited.
    if (error.code !== 'EPIPE') throw error;
  });
});
