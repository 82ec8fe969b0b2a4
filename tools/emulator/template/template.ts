import { type JsonObject, objectAt } from '../json.ts';
import { unsupported } from '../user-error.ts';
import { assertSupported, leftOutOf, type Resource } from './resource-types.ts';

export interface Template {
  readonly stackName: string;
  readonly resources: readonly Resource[];
  /** The types of the resources that the emulator leaves out, by logical id. */
  readonly leftOut: ReadonlyMap<string, string>;
  readonly outputs: JsonObject;
}

/** @throws UserError that names a resource or property that the emulator can neither run nor leave out */
export function parseTemplate(template: JsonObject, stackName: string): Template {
  if (template.Transform !== undefined) throw unsupported('Transform');
  const all = Object.entries(objectAt(template.Resources, 'Resources')).map(([logicalId, value]) => {
    const resource = objectAt(value, logicalId);
    return {
      logicalId,
      type: String(resource.Type),
      properties: objectAt(resource.Properties, `${logicalId}.Properties`),
      metadata: objectAt(resource.Metadata, `${logicalId}.Metadata`),
      conditional: resource.Condition !== undefined,
    };
  });
  const leftOut = leftOutOf(all);
  const resources = all.filter(({ logicalId }) => !leftOut.has(logicalId));
  assertSupported(resources);
  return { stackName, resources, leftOut, outputs: objectAt(template.Outputs, 'Outputs') };
}
