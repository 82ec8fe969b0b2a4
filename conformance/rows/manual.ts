import type { ManualRow } from '../row.ts';

/** What remains open after a run. docs/proven-in-aws.md has the commands. */
export const manual: readonly ManualRow[] = [
  {
    name: 'throttled request with a bad token',
    todo: "set the stage's throttle to 0, send a request with a bad token, and deploy again",
    means:
      '429: API Gateway throttles first, as in the emulator; 401: the authorizer comes first, so change emulator/rest-api/handle.ts and docs/security.md',
  },
  {
    name: 'throttled authorizer',
    todo: 'set the reserved concurrency of the authorizer to 0, send a request with a new token, and read gatewayErrorType in the access log',
    means:
      '500 with AUTHORIZER_FAILURE or AUTHORIZER_CONFIGURATION_ERROR: write the type into docs/operations.md and emulator/rest-api/authorizer.ts',
  },
  {
    name: 'authorizer that times out',
    todo: 'set the timeout of the authorizer to 1 s and make it wait, send a request with a new token, and read gatewayErrorType in the access log',
    means: 'as for a throttled authorizer; a 504 would belong into docs/errors.md',
  },
  {
    name: 'unknown field in the result of the authorizer',
    todo: "add a field to the authorizer's result in a stage of your own, and send a request with a new token",
    means: '500 with AUTHORIZER_CONFIGURATION_ERROR is expected; 200: change emulator/rest-api/authorizer.ts',
  },
  {
    name: 'event of an empty body',
    todo: 'log the event of `empty body` in a stage of your own',
    means:
      'body null or "", with or without isBase64Encoded: write it into emulator/rest-api/proxy-integration.ts; the response is 1001 either way',
  },
  {
    name: 'access log of a wrong stage',
    todo: 'look for `wrong stage` in the access log and in the metric 4XXError after a run',
    means: 'if it is in either, docs/operations.md can count it; otherwise it cannot be seen',
  },
];
