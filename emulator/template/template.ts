import { EmulatorError } from '../emulator-error.ts';
import { isObject, type JsonObject, objectAt } from '../json.ts';
import { parseResource, type Resource } from './resource.ts';

/** The metadata with which a stack leaves a resource out here; its value is the reason. */
export const LEAVE_OUT = 'emulator:leave-out';

export interface Template {
  readonly resources: ReadonlyMap<string, Resource>;
  /** Resources that the stack leaves out here, with the type and the reason of each. */
  readonly leftOut: ReadonlyMap<string, string>;
  readonly outputs: JsonObject;
}

/** @throws EmulatorError if only CloudFormation can process the template, or a resource is not an object */
export function parseTemplate(template: JsonObject): Template {
  if (template.Transform !== undefined) {
    throw new EmulatorError(
      'The template has a Transform, which only CloudFormation can run: remove it from lib/',
    );
  }
  const resources = Object.entries(objectAt(template.Resources, 'Resources')).map(([logicalId, resource]) => {
    if (!isObject(resource))
      throw new EmulatorError(`${logicalId} is not a resource: make it an object with a Type`);
    return parseResource(logicalId, resource);
  });
  const isLeftOut = ({ metadata }: Resource) => metadata[LEAVE_OUT] !== undefined;
  const kept = resources.filter((resource) => !isLeftOut(resource));
  return {
    resources: new Map(kept.map((resource) => [resource.logicalId, resource])),
    leftOut: new Map(
      resources
        .filter(isLeftOut)
        .map(({ logicalId, type, metadata }) => [logicalId, `${type}: ${String(metadata[LEAVE_OUT])}`]),
    ),
    outputs: objectAt(template.Outputs, 'Outputs'),
  };
}
