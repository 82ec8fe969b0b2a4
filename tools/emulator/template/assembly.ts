import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmulatorError, messageOf } from '../emulator-error.ts';
import { arrayAt, isObject, type JsonObject, objectAt, parseJson } from '../json.ts';
import { Properties } from '../properties.ts';
import { parseTemplate, type Template } from './template.ts';

export interface Assembly {
  /** The folder that asset paths are relative to. */
  readonly directory: string;
  readonly stackName: string;
  readonly template: Template;
}

/**
 * Reads the only stack of a synthesized cloud assembly.
 * @throws EmulatorError if the folder has no stack, more than one, or one with error annotations
 */
export async function readAssembly(directory: string): Promise<Assembly> {
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
  const artifact = Properties.of(stack.artifact, stack.id);
  const errors = await errorAnnotations(directory, artifact.optionalString('additionalMetadataFile'));
  if (errors.length > 0) {
    throw new EmulatorError(
      `The CDK app has errors, so it cannot be deployed. Fix them, and start again:\n${errors.join('\n')}`,
    );
  }
  const properties = artifact.object('properties');
  return {
    directory,
    stackName: properties.optionalString('stackName') ?? stack.id,
    template: parseTemplate(await readObject(directory, properties.string('templateFile'))),
  };
}

/** The messages of `Annotations.addError`: the CDK CLI does not deploy such a stack, although synthesis succeeds. */
async function errorAnnotations(directory: string, file: string | undefined): Promise<readonly string[]> {
  const metadata = file === undefined ? {} : await readObject(directory, file);
  return Object.entries(metadata).flatMap(([constructPath, entries]) =>
    arrayAt(entries, constructPath)
      .filter(isObject)
      .filter(({ type }) => type === 'aws:cdk:error')
      .map(({ data }) => `${constructPath}: ${String(data)}`),
  );
}

async function readObject(directory: string, name: string): Promise<JsonObject> {
  try {
    return objectAt(parseJson(await readFile(join(directory, name), 'utf8')), name);
  } catch (error) {
    throw new EmulatorError(
      `${directory} is not a synthesized CDK app: synthesize it again (${messageOf(error)})`,
    );
  }
}
