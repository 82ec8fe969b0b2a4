import type { Metafile } from 'esbuild';

/** Modules that slow a cold start without being needed, and why each should be absent. */
const DEAD_WEIGHT: readonly (readonly [RegExp, string])[] = [
  [
    /\/ajv\/|\/ajv-formats\/dist\/(?!formats\.js)|\/ajv-(?!formats\/)/,
    'the validator is compiled ahead of time by `npm run generate`',
  ],
  [
    /\/@aws-sdk\/(nested-clients|token-providers|credential-provider-(?!env\/))|\/credential-provider-imds\//,
    'credentials come from the environment: the stub for @aws-sdk/credential-provider-node is not applied',
  ],
  [
    /\/(middleware-endpoint-discovery|endpoint-cache)\//,
    'the stub for @aws-sdk/middleware-endpoint-discovery is not applied',
  ],
  [/\/event-streams\//, 'the stub for @smithy/core/event-streams is not applied'],
  [/\/signature-v4-multi-region\//, 'DynamoDB requests are signed for one region'],
  [/\/(@aws-sdk|@smithy)\/[^/]+\/dist-cjs\//, 'only the ESM build of the SDK can be tree-shaken'],
];

/** @throws Error if a bundle has dead weight; the message lists each module with the reason */
export function assertLeanBundle({ outputs }: Pick<Metafile, 'outputs'>): void {
  const bundled = Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path);
  const found = DEAD_WEIGHT.flatMap(([pattern, reason]) =>
    bundled.filter((path) => pattern.test(path)).map((path) => `  ${path}: ${reason}`),
  );
  if (found.length > 0) {
    throw new Error(`the bundle has modules that slow the cold start:\n${found.join('\n')}`);
  }
}
