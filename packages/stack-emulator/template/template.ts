import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError, unsupported } from '../errors.ts';
import { type JsonObject, objectAt, Properties } from '../json.ts';
import { assertResourcesSupported, leftOutOf, type Resource } from './resources.ts';

export interface Template {
  readonly resources: readonly Resource[];
  /** The types of the resources that the emulator leaves out, by logical id. */
  readonly leftOut: ReadonlyMap<string, string>;
  readonly outputs: JsonObject;
}

/**
 * Reads the template of the only stack in a cloud assembly.
 * @throws UserError if the folder does not have exactly one stack, or if the emulator cannot run the template
 */
export async function readTemplate(assembly: string): Promise<Template> {
  const read = async (name: string): Promise<JsonObject> =>
    JSON.parse(await readFile(join(assembly, name), 'utf8'));
  const { artifacts } = await read('manifest.json');
  const stacks = Object.entries(objectAt(artifacts, 'artifacts')).filter(
    ([id, artifact]) => objectAt(artifact, id).type === 'aws:cloudformation:stack',
  );
  const [stack, ...more] = stacks;
  if (stack === undefined || more.length > 0) {
    const found = stacks.map(([id]) => id).join(', ') || 'none';
    throw new UserError(
      `The CDK app must have exactly one stack, got ${found}: make the "app" command in cdk.json create only one stack`,
    );
  }
  const [id, artifact] = stack;
  const properties = Properties.of(artifact, id).object('properties');
  const template = await read(properties.string('templateFile'));
  return parseTemplate(template);
}

/** @throws UserError that names a resource or property that the emulator can neither run nor leave out */
export function parseTemplate(template: JsonObject): Template {
  if (template.Transform !== undefined) throw unsupported('Transform');
  const all = Object.entries(objectAt(template.Resources, 'Resources')).map(
    ([logicalId, value]) => {
      const resource = objectAt(value, logicalId);
      return {
        logicalId,
        type: String(resource.Type),
        properties: objectAt(resource.Properties, `${logicalId}.Properties`),
        asset: objectAt(resource.Metadata, `${logicalId}.Metadata`)['aws:asset:path'],
        conditional: resource.Condition !== undefined,
      };
    },
  );
  const leftOut = leftOutOf(all);
  const resources = all.filter(({ logicalId }) => !leftOut.has(logicalId));
  assertResourcesSupported(resources);
  return { resources, leftOut, outputs: objectAt(template.Outputs, 'Outputs') };
}
