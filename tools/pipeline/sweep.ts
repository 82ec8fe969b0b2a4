import { spawnSync } from 'node:child_process';
import { CloudFormationClient, paginateListStacks, StackStatus } from '@aws-sdk/client-cloudformation';
import { UserError } from '@plant-store/emulator';
import { stackDescription, stackName } from '../../lib/names.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Matches the names that `.github/workflows/deploy.yml` gives to the stages of pull requests. Stages with other names,
 * such as `pr-demo`, are kept.
 */
const PULL_REQUEST_STAGE = /^pr-[1-9]\d*$/;

const HELP = `Deletes the stages of pull requests (pr-NUMBER) that were last deployed more than a day ago.

  npm run sweep

Uses your AWS credentials and region.`;

/**
 * Deletes pull requests' stages that were last deployed more than a day ago. Such a stage is left behind if the job
 * that deployed it was canceled, or could not delete it. With --help, only prints help.
 *
 * @throws UserError if there is a different argument, or if stages could not be deleted; the message lists these
 *   stages
 */
export async function sweep(args: readonly string[]): Promise<void> {
  if (args.length === 1 && args[0] === '--help') return console.log(HELP);
  if (args.length > 0) throw new UserError(`expected no arguments, got ${args.length}; nothing was deleted`);
  const stages = await expiredStages(Date.now());
  const failed = stages.filter((stage) => {
    const command = ['cdk', 'destroy', '-c', `stage=${stage}`, '--force'];
    return spawnSync('npx', command, { stdio: 'inherit', shell: process.platform === 'win32' }).status !== 0;
  });
  console.log(`Deleted ${stages.length - failed.length} of ${stages.length} expired stages.`);
  if (failed.length > 0)
    throw new UserError(`could not delete ${failed.join(', ')}; see the output of cdk destroy above`);
}

/** Returns pull requests' stages that were last deployed more than a day ago, oldest first. */
async function expiredStages(now: number): Promise<string[]> {
  const existing = Object.values(StackStatus).filter((status) => status !== StackStatus.DELETE_COMPLETE);
  const expired: { readonly stage: string; readonly deployedAt: number }[] = [];
  for await (const { StackSummaries = [] } of paginateListStacks(
    { client: new CloudFormationClient() },
    { StackStatusFilter: existing },
  )) {
    for (const { StackName = '', TemplateDescription, CreationTime, LastUpdatedTime } of StackSummaries) {
      const deployedAt = (LastUpdatedTime ?? CreationTime)?.getTime() ?? now;
      const stage = StackName.slice(stackName('').length);
      // A different app may have a stack with such a name too.
      const isOurs = StackName === stackName(stage) && TemplateDescription === stackDescription(stage);
      const isExpired = PULL_REQUEST_STAGE.test(stage) && isOurs && now - deployedAt > DAY_MS;
      if (isExpired) expired.push({ stage, deployedAt });
    }
  }
  return expired.sort((a, b) => a.deployedAt - b.deployedAt).map(({ stage }) => stage);
}
