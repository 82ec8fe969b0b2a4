/**
 * `npm run sam:invoke` and `npm run sam:start-api`: run the synthesized template with the AWS SAM CLI. SAM's containers
 * use the DynamoDB that `npm start` runs. Messages go to stderr, so that stdout contains only the function's response.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { synthesize } from '@plant-store/emulator';
import { runCommand } from '../tools/operator/run-command.ts';
import { samArguments } from '../tools/sam/arguments.ts';
import { assertReadyForSam } from '../tools/sam/missing.ts';
import { writeSamTemplate } from '../tools/sam/template.ts';

const [command = '', ...rest] = process.argv.slice(2);
const project = join(import.meta.dirname, '..');

if (rest.includes('--help')) {
  console.log(`npm run sam:invoke -- [event file, or - for stdin] [function] [options of sam local invoke]
npm run sam:start-api -- [options of sam local start-api]`);
  process.exit();
}
await runCommand('sam', async () => {
  const warning = await assertReadyForSam(process.env);
  if (warning !== undefined) console.error(warning);
  console.error('Synthesizing the stack …');
  const assembly = join(project, 'cdk.out');
  await synthesize({ project, output: assembly });
  await writeSamTemplate(assembly);
  const args = samArguments(command, rest);
  console.error(`sam ${args.join(' ')}`);
  const [code] = await once(spawn('sam', args, { cwd: project, stdio: 'inherit' }), 'exit');
  process.exitCode = code ?? 1;
});
