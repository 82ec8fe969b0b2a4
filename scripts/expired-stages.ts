import { type CloudFormationClient, paginateListStacks, StackStatus } from '@aws-sdk/client-cloudformation';
import { PULL_REQUEST_STAGES, stackName } from '../lib/names.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the stages of pull requests that nobody has deployed for a day, the oldest first. */
export async function expiredStages(client: CloudFormationClient, now: number): Promise<string[]> {
  const existing = Object.values(StackStatus).filter((status) => status !== StackStatus.DELETE_COMPLETE);
  const expired: { readonly stage: string; readonly deployedAt: number }[] = [];
  for await (const { StackSummaries = [] } of paginateListStacks(
    { client },
    { StackStatusFilter: existing },
  )) {
    for (const { StackName = '', CreationTime, LastUpdatedTime } of StackSummaries) {
      const deployedAt = (LastUpdatedTime ?? CreationTime)?.getTime() ?? now;
      const isExpired = StackName.startsWith(stackName(PULL_REQUEST_STAGES)) && now - deployedAt > DAY_MS;
      if (isExpired) expired.push({ stage: StackName.slice(stackName('').length), deployedAt });
    }
  }
  return expired.sort((a, b) => a.deployedAt - b.deployedAt).map(({ stage }) => stage);
}
