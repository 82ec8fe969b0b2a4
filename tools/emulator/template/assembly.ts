import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmulatorError } from '../emulator-error.ts';
import { isObject, type JsonObject, objectAt, parseJson } from '../json.ts';
import { Properties } from '../properties.ts';
import { parseTemplate, type Template } from './template.ts';

/**
 * Reads the only stack of a synthesized cloud assembly.
 * @throws EmulatorError if the folder has no stack, or more than one
 */
export async function readAssembly(
  directory: string,
): Promise<{ readonly stackName: string; readonly template: Template }> {
  const artifacts = objectAt((await readObject(directory, 'manifest.json')).artifacts, 'artifacts');
  const stacks = Object.entries(artifacts).flatMap(([id, artifact]) =>
    isObject(artifact) && artifact.type === 'aws:cloudformation:stack' ? [{ id, artifact }] : [],
  );
  const [stack] = stacks;
  if (stack === undefined || stacks.length > 1) {
    const found = stacks.map(({ id }) => id).join(', ') || 'none';
    throw new EmulatorError(
      `The emulator needs exactly one stack, and the CDK app has ${found}: change the app of cdk.json`,
    );
  }
  const properties = Properties.of(stack.artifact, stack.id).object('properties');
  return {
    stackName: properties.optionalString('stackName') ?? stack.id,
    template: parseTemplate(await readObject(directory, properties.string('templateFile'))),
  };
}

async function readObject(directory: string, name: string): Promise<JsonObject> {
  return objectAt(parseJson(await readFile(join(directory, name), 'utf8')), name);
}
