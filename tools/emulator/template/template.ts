import { EmulatorError } from '../emulator-error.ts';
import { isObject, type JsonObject, objectAt } from '../json.ts';
import { leftOutOf } from './left-out.ts';
import { parseResource, type Resource } from './resource.ts';

export interface Template {
  readonly resources: ReadonlyMap<string, Resource>;
  /** Further resources, which the emulator runs without: the type of each. */
  readonly leftOut: ReadonlyMap<string, string>;
  readonly outputs: JsonObject;
}

/** @throws EmulatorError if only CloudFormation can process the template, or a resource is not an object */
export function parseTemplate(template: JsonObject): Template {
  if (template.Transform !== undefined) {
    throw new EmulatorError(
      'The template has a Transform, which only CloudFormation can run: remove it from the stack',
    );
  }
  const resources = Object.entries(objectAt(template.Resources, 'Resources')).map(([logicalId, resource]) => {
    if (!isObject(resource))
      throw new EmulatorError(`${logicalId} is not a resource: make it an object with a Type`);
    return parseResource(logicalId, resource);
  });
  const leftOut = leftOutOf(resources);
  const kept = resources.filter(({ logicalId }) => !leftOut.has(logicalId));
  return {
    resources: new Map(kept.map((resource) => [resource.logicalId, resource])),
    leftOut,
    outputs: objectAt(template.Outputs, 'Outputs'),
  };
}
