import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from './loopback.ts';

export interface LambdaResult {
  readonly result?: unknown;
  /** The error message, if the function threw an error, could not start, or timed out. */
  readonly error?: string;
  /** The error with which Lambda itself rejects the invocation, such as `AccessDeniedException`. */
  readonly rejection?: string;
}

export type Version = (event: object) => Promise<LambdaResult>;

/** A fake Lambda that has one function version, and a fake CodeDeploy with one deployment that waits for its hook. */
export interface DeploymentServices {
  /** The environment variables that make the SDK use these services. */
  readonly environment: Record<string, string>;
  readonly versionArn: string;
  version: Version;
  invocations: number;
  readonly reports: object[];
  /** The event that CodeDeploy sends to the hook. */
  readonly event: { readonly DeploymentId: string; readonly LifecycleEventHookExecutionId: string };
}

export async function startDeploymentServices(): Promise<DeploymentServices> {
  const versionArn = 'arn:aws:lambda:us-east-1:123456789012:function:probed:7';
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    if (request.url === '/') {
      const { deploymentId, lifecycleEventHookExecutionId, status } = body;
      services.reports.push({ deploymentId, lifecycleEventHookExecutionId, status });
      response.end(JSON.stringify({ lifecycleEventHookExecutionId }));
      return;
    }
    const isInvocation = decodeURIComponent(request.url ?? '').includes(
      `/functions/${versionArn}/invocations`,
    );
    services.invocations += isInvocation ? 1 : 0;
    const { result, error, rejection } = isInvocation
      ? await services.version(body)
      : { rejection: 'ResourceNotFoundException' };
    if (rejection !== undefined) {
      response
        .writeHead(403, { 'x-amzn-ErrorType': rejection })
        .end(JSON.stringify({ Message: 'rejected' }));
    } else if (error !== undefined) {
      response.setHeader('X-Amz-Function-Error', 'Unhandled');
      response.end(JSON.stringify({ errorType: 'Error', errorMessage: error, trace: [] }));
    } else {
      response.end(JSON.stringify(result ?? null));
    }
  });
  const { url: endpoint } = await listenOnLoopback(server);
  const services: DeploymentServices = {
    environment: {
      AWS_ENDPOINT_URL_LAMBDA: endpoint,
      AWS_ENDPOINT_URL_CODEDEPLOY: endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      NEW_VERSION: versionArn,
    },
    versionArn,
    version: async () => ({ result: null }),
    invocations: 0,
    reports: [],
    event: { DeploymentId: 'd-TEST', LifecycleEventHookExecutionId: 'hook-1' },
  };
  return services;
}
