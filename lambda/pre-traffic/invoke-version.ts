import { setTimeout as sleep } from 'node:timers/promises';
import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';

const RETRY_DELAY_MS = 1_000;

/** What a function returned or, if it failed, Lambda's error object. */
export interface InvocationResult {
  readonly failed: boolean;
  /** JSON, unless the function is broken. */
  readonly payload: string;
}

/** @throws Error if the signal is aborted before Lambda returns a result */
export type InvokeVersion = (event: object, signal: AbortSignal) => Promise<InvocationResult>;

/**
 * Invokes one version of a function. If Lambda rejects the invocation, it is retried until the signal is aborted,
 * because the permission to invoke a new version is also new, and IAM takes seconds to propagate it.
 */
export const versionInvoker =
  (client: LambdaClient, versionArn: string): InvokeVersion =>
  async (event, abortSignal) => {
    const command = new InvokeCommand({ FunctionName: versionArn, Payload: JSON.stringify(event) });
    let firstError: unknown;
    for (;;) {
      try {
        const { FunctionError, Payload } = await client.send(command, { abortSignal });
        return { failed: FunctionError !== undefined, payload: new TextDecoder().decode(Payload) };
      } catch (error) {
        firstError ??= error;
        // The last error may come from the abort, which does not explain the failure.
        if (abortSignal.aborted) throw firstError;
        await sleep(RETRY_DELAY_MS);
      }
    }
  };
