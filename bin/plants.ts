/** `npm run plants`: lists the stored plants. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { listPlants } from '../tools/operator/plants.ts';
import { runCommand } from '../tools/operator/run-command.ts';

await runCommand('plants', async () => {
  const output = listPlants(process.argv.slice(2), process.env);
  await pipeline(Readable.from(output), process.stdout, { end: false }).catch((error) => {
    // EPIPE means that the process that reads the output, such as `head`, has exited.
    if (error.code !== 'EPIPE') throw error;
  });
});
