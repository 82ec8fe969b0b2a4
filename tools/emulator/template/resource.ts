import { type JsonObject, objectAt } from '../json.ts';
import { Properties } from '../properties.ts';

export interface Resource {
  readonly logicalId: string;
  /** For example `AWS::Lambda::Function`. */
  readonly type: string;
  /** As written, with intrinsic functions unresolved. */
  readonly properties: JsonObject;
  readonly metadata: JsonObject;
  /** Whether it exists under a condition only. */
  readonly conditional: boolean;
}

/** @throws TypeError if it has no Type, or a part of it is not an object */
export function parseResource(logicalId: string, resource: JsonObject): Resource {
  return {
    logicalId,
    type: Properties.of(resource, logicalId).string('Type'),
    properties: objectAt(resource.Properties, `${logicalId}.Properties`),
    metadata: objectAt(resource.Metadata, `${logicalId}.Metadata`),
    conditional: resource.Condition !== undefined,
  };
}
