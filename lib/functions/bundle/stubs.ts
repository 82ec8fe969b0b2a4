import { join } from 'node:path';

export const LAMBDA_FOLDER = join(import.meta.dirname, '../../../lambda');
const STUBS = join(LAMBDA_FOLDER, 'stubs.ts');

/**
 * Packages that stubs replace in a bundle, because the functions use little of them (docs/decisions.md#cold-starts). A
 * stub saves CPU time during init and the first request, bundle size, or both.
 *
 * | package | saves | if something else in a bundle needs it |
 * |---|---|---|
 * | `@aws-sdk/credential-provider-node` | 8.1 ms, 139 KB | the build fails: no such export |
 * | `@smithy/core/event-streams` | 2.8 ms, 20 KB | the build fails: no such export |
 * | `@aws-sdk/middleware-endpoint-discovery` | 8.6 KB | the build fails: no such export |
 * | `node:fs/promises` | 1.9% | the build fails: no such export; `readFile` warns and throws |
 * | `ReadableStream` (below) | 2.0% | test/bundle/limits.test.ts fails, and the function fails at run time |
 */
export const stubs = {
  '@aws-sdk/credential-provider-node': STUBS,
  '@smithy/core/event-streams': join(LAMBDA_FOLDER, 'no-event-streams.ts'),
  '@aws-sdk/middleware-endpoint-discovery': STUBS,
  'node:fs/promises': STUBS,
};

/**
 * The SDK uses `ReadableStream` only to check responses, but the first use of this global makes Node load web streams.
 */
export const define = { ReadableStream: 'undefined' };
