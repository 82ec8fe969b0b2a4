import { listOf, required, textOf } from '../json.ts';
import type { Resolver } from '../template/intrinsics.ts';
import type { Resource } from '../template/template.ts';

/** Whether a body with this Content-Type reaches the function as bytes. */
export type IsBinary = (contentType: string | undefined) => boolean;

/** What API Gateway takes a body without a Content-Type for. */
const ASSUMED = 'application/json';

/** By the REST API's `BinaryMediaTypes`, whose types may be wildcards; CloudFormation may write a slash as ~1. */
export function parseBinaryMediaTypes(restApi: Resource, resolver: Resolver): IsBinary {
  const at = `${restApi.logicalId}.BinaryMediaTypes`;
  const binary = new Set(
    listOf(resolver.property(restApi, 'BinaryMediaTypes'), at).map((entry) =>
      required(textOf(entry, at), at).replaceAll('~1', '/').toLowerCase(),
    ),
  );
  return (contentType) => {
    const [mediaType = ''] = (contentType || ASSUMED).toLowerCase().split(';');
    const [type = ''] = mediaType.split('/');
    return [mediaType.trim(), `${type.trim()}/*`, '*/*'].some((candidate) => binary.has(candidate));
  };
}
