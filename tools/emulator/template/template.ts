import { unsupported } from '../emulator-error.ts';
import { type JsonObject, objectAt } from '../json.ts';
import { Properties } from '../properties.ts';
import { leftOutOf, type Resource } from './resource-types.ts';

export interface Template {
  readonly resources: ReadonlyMap<string, Resource>;
  /** Further resources, which the emulator runs without: the type of each. */
  readonly leftOut: ReadonlyMap<string, string>;
  readonly outputs: JsonObject;
}

/** @throws EmulatorError if only CloudFormation can process the template */
export function parseTemplate(template: JsonObject): Template {
  if (template.Transform !== undefined) throw unsupported('Transform', 'emulator/template/template.ts');
  const resources = Object.entries(objectAt(template.Resources, 'Resources')).map(([logicalId, value]) => {
    const resource = objectAt(value, logicalId);
    return {
      logicalId,
      type: Properties.of(resource, logicalId).string('Type'),
      properties: objectAt(resource.Properties, `${logicalId}.Properties`),
      metadata: objectAt(resource.Metadata, `${logicalId}.Metadata`),
      conditional: resource.Condition !== undefined,
    };
  });
  const leftOut = leftOutOf(resources);
  const kept = resources.filter(({ logicalId }) => !leftOut.has(logicalId));
  return {
    resources: new Map(kept.map((resource) => [resource.logicalId, resource])),
    leftOut,
    outputs: objectAt(template.Outputs, 'Outputs'),
  };
}
