import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmulatorError, messageOf } from '../emulator-error.ts';
import { isObject, type JsonObject, objectOf, parseJson, required, textOf } from '../json.ts';
import { annotatedErrors } from './annotations.ts';
import { parseTemplate, type Template } from './template.ts';

export interface Assembly {
  /** The folder that asset paths are relative to. */
  readonly directory: string;
  readonly stackName: string;
  readonly template: Template;
}

/**
 * Reads the only stack of a synthesized cloud assembly.
 * @throws EmulatorError if the folder holds none, or more than one, or one that the app found errors in
 */
export async function readAssembly(directory: string): Promise<Assembly> {
  const artifacts = objectOf((await readObject(directory, 'manifest.json')).artifacts, 'artifacts');
  const stacks = Object.entries(artifacts).flatMap(([id, artifact]) =>
    isObject(artifact) && artifact.type === 'aws:cloudformation:stack' ? [{ id, artifact }] : [],
  );
  const [stack] = stacks;
  if (stack === undefined || stacks.length > 1) {
    const found = stacks.map(({ id }) => id).join(', ') || 'none';
    throw new EmulatorError(
      `the emulator needs exactly one stack, and the app of cdk.json gives ${found}: make it one in bin/plant-store.ts`,
    );
  }
  const errors = annotatedErrors(await readMetadata(directory, stack.artifact));
  if (errors.length > 0) {
    throw new EmulatorError(
      `The CDK app has errors, so it wouldn't be deployed. Fix them in lib/, and start again:\n${errors.join('\n')}`,
    );
  }
  const properties = objectOf(stack.artifact.properties, `${stack.id}.properties`);
  const file = required(textOf(properties.templateFile, 'templateFile'), `${stack.id}.templateFile`);
  return {
    directory,
    stackName: textOf(properties.stackName, 'stackName') ?? stack.id,
    template: parseTemplate(await readObject(directory, file)),
  };
}

async function readMetadata(directory: string, artifact: JsonObject): Promise<JsonObject> {
  const file = textOf(artifact.additionalMetadataFile, 'additionalMetadataFile');
  return file === undefined ? {} : readObject(directory, file);
}

async function readObject(directory: string, name: string): Promise<JsonObject> {
  try {
    return objectOf(parseJson(await readFile(join(directory, name), 'utf8')), name);
  } catch (error) {
    throw new EmulatorError(
      `${directory} is no synthesized CDK app: synthesize it again (${messageOf(error)})`,
    );
  }
}
