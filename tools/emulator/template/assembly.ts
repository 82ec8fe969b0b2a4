import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, objectAt, parseObject } from '../json.ts';
import { Properties } from '../properties.ts';
import { UserError } from '../user-error.ts';
import { parseTemplate, type Template } from './template.ts';

/**
 * Returns the template of the only stack in a cloud assembly.
 * @throws UserError if the folder does not have exactly one stack, or if the emulator cannot run the template
 */
export async function readAssembly(directory: string): Promise<Template> {
  const read = async (name: string) => parseObject(await readFile(join(directory, name), 'utf8'), name);
  const { artifacts } = await read('manifest.json');
  const stacks = Object.entries(objectAt(artifacts, 'artifacts')).filter(
    ([, artifact]) => isObject(artifact) && artifact.type === 'aws:cloudformation:stack',
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
  return parseTemplate(template, properties.optionalString('stackName') ?? id);
}
