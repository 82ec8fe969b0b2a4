/** `npm run token -- --help`: issues, lists, revokes and rotates access tokens. */
import { run } from '../tokens/cli.ts';
import { runCommand } from '../tokens/run-command.ts';

await runCommand('token', async () => {
  const { stdout, stderr } = await run(process.argv.slice(2), process.env);
  console.log(stdout);
  if (stderr) console.error(stderr);
});
