import type { Context } from 'aws-lambda';

/** The context that Lambda passes to a handler that times out in `remainingTimeMs` milliseconds. */
export function lambdaContext(remainingTimeMs = 10_000): Context {
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: 'function',
    functionVersion: '1',
    invokedFunctionArn: 'arn:aws:lambda:us-east-1:123456789012:function:function',
    memoryLimitInMB: '512',
    awsRequestId: 'invocation',
    logGroupName: 'log-group',
    logStreamName: 'log-stream',
    getRemainingTimeInMillis: () => remainingTimeMs,
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
}
