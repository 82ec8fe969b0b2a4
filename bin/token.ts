/** `npm run token`: issues, lists, revokes and rotates access tokens. For help: `npm run token -- --help`. */
import { run } from '../tools/tokens/cli.ts';
import { runCommand } from '../tools/tokens/run-command.ts';

await runCommand('token', async () => {
  const { stdout, stderr } = await run(process.argv.slice(2), process.env);
  console.log(stdout);
  if (stderr) console.error(stderr);
});
