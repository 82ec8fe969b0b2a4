import type { Metafile } from 'esbuild';

/** Modules that slow down the cold start for no benefit, each with a message that says why and what to do. */
const DEAD_WEIGHT: readonly (readonly [RegExp, string])[] = [
  [
    /\/ajv\/|\/ajv-formats\/dist\/(?!formats\.js)|\/ajv-(?!formats\/)/,
    'not needed, because `npm run generate` compiles the validator; remove the import that adds it',
  ],
  [
    /\/@aws-sdk\/(nested-clients|token-providers|credential-provider-(?!env\/))|\/credential-provider-imds\//,
    'not needed (credentials come from the environment), but bundled because the stub for @aws-sdk/credential-provider-node is not applied; check lib/functions/bundle/stubs.ts',
  ],
  [
    /\/(middleware-endpoint-discovery|endpoint-cache)\//,
    'not needed, but bundled because the stub for @aws-sdk/middleware-endpoint-discovery is not applied; check lib/functions/bundle/stubs.ts',
  ],
  [
    /\/event-streams\//,
    'not needed, but bundled because the stub for @smithy/core/event-streams is not applied; check lib/functions/bundle/stubs.ts',
  ],
  [
    /\/signature-v4-multi-region\//,
    'not needed, because DynamoDB requests are signed for one region; remove the import that adds it',
  ],
  [
    /\/(@aws-sdk|@smithy)\/[^/]+\/dist-cjs\//,
    'the CommonJS build of an SDK module, which cannot be tree-shaken; check mainFields in lib/functions/bundle/build.ts',
  ],
];

/** @throws Error if a bundle contains modules that match DEAD_WEIGHT; the message lists them and says what to do */
export function assertLeanBundle({ outputs }: Pick<Metafile, 'outputs'>): void {
  const bundled = Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path);
  const found = DEAD_WEIGHT.flatMap(([pattern, reason]) =>
    bundled.filter((path) => pattern.test(path)).map((path) => `  ${path}: ${reason}`),
  );
  if (found.length > 0) {
    throw new Error(`the bundle has modules that slow down the cold start:\n${found.join('\n')}`);
  }
}
