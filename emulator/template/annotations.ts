import { isObject, type JsonObject, listOf } from '../json.ts';

/**
 * What `Annotations.addError` said of a stack's constructs; the CDK CLI deploys no such stack, though the app that
 * synthesized it ended well.
 *
 * @param metadata the stack's entries in the cloud assembly, by construct path
 */
export function annotatedErrors(metadata: JsonObject): readonly string[] {
  return Object.entries(metadata).flatMap(([path, entries]) =>
    listOf(entries, path)
      .filter(isObject)
      .filter(({ type }) => type === 'aws:cdk:error')
      .map(({ data }) => `${path}: ${String(data)}`),
  );
}
