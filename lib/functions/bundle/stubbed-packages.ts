import { join } from 'node:path';
import { LAMBDA_FOLDER } from '../function-names.ts';

const STUBS = join(LAMBDA_FOLDER, 'bundle/stubs.ts');

/**
 * Packages that stubs replace in a bundle, because the functions use little of them (docs/decisions.md#cold-starts). A
 * stub saves CPU time during init and the first request, bundle size, or both.
 *
 * | package | saves |
 * |---|---|
 * | `@aws-sdk/credential-provider-node` | 8.1 ms, 139 KB |
 * | `@smithy/core/event-streams` | 2.8 ms, 20 KB |
 * | `@aws-sdk/middleware-endpoint-discovery` | 8.6 KB |
 * | `node:fs/promises` | 1.9% of the time |
 *
 * If something in a bundle needs more of a package than its stub exports, the build fails.
 */
export const alias = {
  '@aws-sdk/credential-provider-node': STUBS,
  '@smithy/core/event-streams': join(LAMBDA_FOLDER, 'bundle/no-event-streams.ts'),
  '@aws-sdk/middleware-endpoint-discovery': STUBS,
  'node:fs/promises': STUBS,
};

/**
 * The SDK uses `ReadableStream` only to check responses, but the first use of this global makes Node load web streams,
 * which takes 2.0% of the time. A function that needs it fails at run time, and in test/bundle/limits.test.ts.
 */
export const define = { ReadableStream: 'undefined' };
