/**
 * `npm run sweep`: deletes the stages of pull requests that nobody has deployed for a day. Such a stage is left
 * behind if the job that deployed it was cancelled, or could not delete it.
 */
import { spawnSync } from 'node:child_process';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { explainFailure } from '../tokens/errors.ts';
import { expiredStages } from './expired-stages.ts';

try {
  const stages = await expiredStages(new CloudFormationClient(), Date.now());
  const failed = stages.filter((stage) => !destroyed(stage));
  console.log(`${stages.length - failed.length} of ${stages.length} expired stages deleted.`);
  if (failed.length > 0) throw new Error(`not deleted: ${failed.join(', ')}`);
} catch (error) {
  console.error(`sweep: ${explainFailure(error) ?? error}`);
  process.exitCode = 1;
}

function destroyed(stage: string): boolean {
  const args = ['cdk', 'destroy', '-c', `stage=${stage}`, '--force'];
  return spawnSync('npx', args, { stdio: 'inherit', shell: process.platform === 'win32' }).status === 0;
}
