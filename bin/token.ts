/** `npm run token -- --help`: issues, lists, revokes and rotates access tokens. */
import { run } from '../tokens/cli.ts';
import { explainFailure } from '../tokens/errors.ts';

try {
  const { stdout, stderr } = await run(process.argv.slice(2), process.env);
  console.log(stdout);
  if (stderr) console.error(stderr);
} catch (error) {
  const explanation = explainFailure(error);
  if (explanation === undefined) throw error;
  console.error(`token: ${explanation}`);
  process.exitCode = 1;
}
