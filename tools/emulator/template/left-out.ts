import type { Resource } from './resource.ts';
import { isIgnored, isKnown } from './resource-types.ts';

/** What requests go through first, and DynamoDB, which keeps what they store. */
const USED = /^AWS::(ApiGateway|DynamoDB)/;

/**
 * The types of the resources that the emulator does not know and no request can notice, by logical id: neither the API
 * nor a table refers to them, nor does a function that requests invoke, nor anything that one of these refers to.
 */
export function leftOutOf(resources: readonly Resource[]): ReadonlyMap<string, string> {
  const used = new Set<Resource>();
  const use = (resource: Resource) => {
    if (used.has(resource) || isIgnored(resource.type)) return;
    used.add(resource);
    const properties = JSON.stringify(resource.properties);
    // In `Ref` and `Fn::GetAtt`.
    resources.filter(({ logicalId }) => properties.includes(JSON.stringify(logicalId))).forEach(use);
  };
  resources.filter(({ type }) => USED.test(type)).forEach(use);
  const leftOut = resources.filter((resource) => !isKnown(resource.type) && !used.has(resource));
  return new Map(leftOut.map(({ logicalId, type }) => [logicalId, type]));
}
