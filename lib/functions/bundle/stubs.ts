import { join } from 'node:path';

const standIn = (name: string) => join(import.meta.dirname, '../../../lambda/stubs', name);

/** What is bundled in the place of a package, because all that we use of it is less (decision 0032). */
export const standIns: Record<string, string> = {
  '@aws-sdk/credential-provider-node': standIn('credential-provider-node.ts'),
  '@aws-sdk/middleware-endpoint-discovery': standIn('endpoint-discovery.ts'),
  '@smithy/core/event-streams': standIn('event-streams.ts'),
  'node:fs/promises': standIn('fs-promises.ts'),
};

/** What the SDK only asks for, of every reply, and what Node takes milliseconds to load at the first mention. */
export const absentGlobals = { ReadableStream: 'undefined' };
