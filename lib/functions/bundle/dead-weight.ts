import type { Metafile } from 'esbuild';

/** Modules that cost cold start and do nothing for us; each says how it would have got in. */
const DEAD_WEIGHT: readonly (readonly [RegExp, string])[] = [
  [/\/ajv\/|\/ajv-/, 'the validator is compiled ahead by `npm run generate`'],
  [
    /\/@aws-sdk\/(nested-clients|token-providers|credential-provider-(?!env\/))|\/credential-provider-imds\//,
    'credentials come from the environment: the stand-in for @aws-sdk/credential-provider-node is void',
  ],
  [/\/event-streams\//, 'the stand-in for @smithy/core/event-streams is void'],
  [
    /\/(middleware-endpoint-discovery|endpoint-cache|mnemonist)\//,
    'the stand-in for @aws-sdk/middleware-endpoint-discovery is void',
  ],
  [/\/signature-v4-multi-region\//, 'DynamoDB requests are signed for one region'],
  [/\/(@aws-sdk|@smithy)\/[^/]+\/dist-cjs\//, 'only the ESM of the SDK can be tree-shaken'],
];

/** @throws naming every module of a bundle that is dead weight, and why it is */
export function refuseDeadWeight({ outputs }: Pick<Metafile, 'outputs'>): void {
  const bundled = Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path);
  const found = DEAD_WEIGHT.flatMap(([pattern, reason]) =>
    bundled.filter((path) => pattern.test(path)).map((path) => `  ${path}: ${reason}`),
  );
  if (found.length > 0)
    throw new Error(`the bundle has modules that slow the cold start:\n${found.join('\n')}`);
}
