import { EmulatorError } from '../emulator-error.ts';
import { isObject, type JsonObject, objectOf } from '../json.ts';
import { Properties } from './properties.ts';

export interface Resource {
  readonly logicalId: string;
  /** For example `AWS::Lambda::Function`. */
  readonly type: string;
  /** As written, with intrinsic functions unresolved. */
  readonly properties: JsonObject;
  readonly metadata: JsonObject;
  /** The name of the condition under which it exists. */
  readonly condition: string | undefined;
}

export interface Template {
  readonly resources: ReadonlyMap<string, Resource>;
  readonly parameters: JsonObject;
  readonly mappings: JsonObject;
  readonly conditions: JsonObject;
  readonly outputs: JsonObject;
}

/** @throws EmulatorError if only CloudFormation can process the template, or a resource is not an object */
export function parseTemplate(template: JsonObject): Template {
  if (template.Transform !== undefined) {
    throw new EmulatorError(
      'The template has a Transform, which only CloudFormation can run: remove it from lib/',
    );
  }
  const resources = Object.entries(objectOf(template.Resources, 'Resources')).map(([logicalId, resource]) => {
    if (!isObject(resource))
      throw new EmulatorError(`${logicalId} is not a resource: make it an object with a Type`);
    return parseResource(logicalId, resource);
  });
  return {
    resources: new Map(resources.map((resource) => [resource.logicalId, resource])),
    parameters: objectOf(template.Parameters, 'Parameters'),
    mappings: objectOf(template.Mappings, 'Mappings'),
    conditions: objectOf(template.Conditions, 'Conditions'),
    outputs: objectOf(template.Outputs, 'Outputs'),
  };
}

function parseResource(logicalId: string, resource: JsonObject): Resource {
  const fields = Properties.of(resource, logicalId);
  return {
    logicalId,
    type: fields.string('Type'),
    properties: objectOf(resource.Properties, `${logicalId}.Properties`),
    metadata: objectOf(resource.Metadata, `${logicalId}.Metadata`),
    condition: fields.optionalString('Condition'),
  };
}
