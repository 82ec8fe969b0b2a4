import { isArray, isObject, type Json } from '../json.ts';
import type { Resource } from './resource.ts';
import { isIgnored, isKnown } from './resource-types.ts';

/** What requests go through first, and DynamoDB, which keeps what they store. */
const USED = /^AWS::(ApiGateway|DynamoDB)/;

/**
 * The types of the resources that the emulator does not know and no request can notice, by logical id: neither the API
 * nor a table refers to them, nor does a function that requests invoke, nor anything that one of these refers to.
 */
export function leftOutOf(resources: ReadonlyMap<string, Resource>): ReadonlyMap<string, string> {
  const used = new Set<string>();
  const use = (logicalId: string) => {
    const resource = resources.get(logicalId);
    if (resource === undefined || isIgnored(resource.type) || used.has(logicalId)) return;
    used.add(logicalId);
    for (const each of referencesIn(resource.properties)) use(each);
  };
  const all = [...resources.values()];
  for (const { logicalId, type } of all) if (USED.test(type)) use(logicalId);
  const leftOut = all.filter(({ logicalId, type }) => !isKnown(type) && !used.has(logicalId));
  return new Map(leftOut.map(({ logicalId, type }) => [logicalId, type]));
}

/** The logical ids in `Ref` and `Fn::GetAtt`. */
function referencesIn(value: Json): readonly string[] {
  if (isArray(value)) return value.flatMap(referencesIn);
  if (!isObject(value)) return [];
  const { Ref, 'Fn::GetAtt': attribute, ...others } = value;
  const [logicalId] = isArray(attribute) ? attribute : [Ref];
  return [
    ...(typeof logicalId === 'string' ? [logicalId] : []),
    ...Object.values(others).flatMap(referencesIn),
  ];
}
