/**
 * `npm run sam:invoke`: invokes a function of the synthesized template with the AWS SAM CLI. SAM's container uses the
 * DynamoDB that `npm start` runs. Messages go to stderr, so that stdout contains only the function's response.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { synthesize } from '@plant-store/emulator';
import { runCommand } from '../tools/operator/run-command.ts';
import { samArguments } from '../tools/sam/arguments.ts';
import { assertReadyForSam } from '../tools/sam/missing.ts';
import { writeSamTemplate } from '../tools/sam/template.ts';

const project = join(import.meta.dirname, '..');

if (process.argv.includes('--help')) {
  console.log(
    'npm run sam:invoke -- [event file, or - for stdin] [function] [options of sam local invoke]',
  );
  process.exit();
}
await runCommand('sam', async () => {
  const warning = await assertReadyForSam(process.env);
  if (warning !== undefined) console.error(warning);
  console.error('Synthesizing the stack …');
  const assembly = join(project, 'cdk.out');
  await synthesize({ project, output: assembly });
  await writeSamTemplate(assembly);
  const args = samArguments(process.argv.slice(2));
  console.error(`sam ${args.join(' ')}`);
  const [code] = await once(spawn('sam', args, { cwd: project, stdio: 'inherit' }), 'exit');
  process.exitCode = code ?? 1;
});
