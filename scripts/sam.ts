/**
 * `npm run sam:invoke [event file]` and `npm run sam:start-api`: run the synthesized template with the AWS SAM
 * CLI. Its containers use the DynamoDB of `HOST=0.0.0.0 npm start`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { EmulatorError, synthesize } from '../emulator/index.ts';
import { missingForSam } from './sam/missing.ts';
import { samArguments } from './sam/arguments.ts';

const [command = '', ...rest] = process.argv.slice(2);
const project = join(import.meta.dirname, '..');

const missing = await missingForSam(process.env);
if (missing.length > 0) {
  console.error(`SAM cannot run yet:\n${missing.map((line) => `  - ${line}`).join('\n')}`);
  process.exitCode = 1;
} else {
  try {
    console.log('Synthesizing the stack …');
    await synthesize({ project, output: join(project, 'cdk.out') });
    const args = samArguments(command, rest);
    console.log(`sam ${args.join(' ')}`);
    const [code] = await once(spawn('sam', args, { cwd: project, stdio: 'inherit' }), 'exit');
    process.exitCode = code ?? 1;
  } catch (error) {
    if (!(error instanceof EmulatorError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
