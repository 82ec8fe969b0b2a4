/** `npm run token`: issues, lists, revokes and rotates access tokens. */
import { runCommand } from '../tools/command-line/run-command.ts';
import { runToken } from '../tools/tokens/run-token.ts';

await runCommand('token', async () => {
  const { stdout, stderr } = await runToken(process.argv.slice(2), process.env);
  if (stdout) console.log(stdout);
  if (stderr) console.error(stderr);
});
