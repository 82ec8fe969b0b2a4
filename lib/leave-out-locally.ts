import { CfnResource } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Lets `npm start` run without a resource that its emulator does not know, and print the reason. In AWS it is deployed
 * like any other.
 *
 * @param reason what does not work without it, such as `plants are not announced`
 */
export function leaveOutLocally(resource: IConstruct, reason: string): void {
  for (const part of resource.node.findAll()) {
    // LEAVE_OUT of emulator/template/template.ts, which lib/ does not import.
    if (CfnResource.isCfnResource(part)) part.addMetadata('emulator:leave-out', reason);
  }
}
