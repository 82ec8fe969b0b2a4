import {
  CodeDeployClient,
  PutLifecycleEventHookExecutionStatusCommand,
} from '@aws-sdk/client-codedeploy';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { type PreTrafficEnv, requiredEnv } from '../shared/env.ts';
import { preTrafficHandler } from './handler.ts';
import { versionInvoker } from './invoke-version.ts';
import { probesOf } from './probes.ts';

const codeDeploy = new CodeDeployClient();
const lambda = new LambdaClient();

export const handler = preTrafficHandler({
  prepare: () => ({
    probes: probesOf(requiredEnv<PreTrafficEnv>('PROBED_FUNCTION')),
    invoke: versionInvoker(lambda, requiredEnv<PreTrafficEnv>('NEW_VERSION')),
  }),
  report: async ({ DeploymentId, LifecycleEventHookExecutionId }, status) => {
    await codeDeploy.send(
      new PutLifecycleEventHookExecutionStatusCommand({
        deploymentId: DeploymentId,
        lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
        status,
      }),
    );
  },
  log: (line) => process.stdout.write(`${JSON.stringify(line)}\n`),
});
