import { readFile, writeFile } from 'node:fs/promises';
import { arch } from 'node:os';
import { join } from 'node:path';
import { templateFile } from '../../lib/names.ts';

const FILE = 'sam.template.json';

export const SAM_TEMPLATE = `cdk.out/${FILE}`;

interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
}

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: { readonly 'aws:cdk:path'?: string; readonly SamResourceId?: string };
}

/** Writes SAM's copy of the template into the template's folder, because both refer to the assets by relative paths. */
export async function writeSamTemplate(assembly: string): Promise<void> {
  const template = JSON.parse(await readFile(join(assembly, templateFile('dev')), 'utf8'));
  await writeFile(join(assembly, FILE), JSON.stringify(samTemplate(template), null, 1));
}

/**
 * Returns a copy of the template for `sam local`. In the copy, functions have short ids. They also have this machine's
 * architecture, so that Docker does not have to emulate a different one. It has no construct paths, because SAM warns
 * about long ones.
 */
export function samTemplate(template: Template): Template {
  const resources = Object.entries(template.Resources).map(([id, resource]) => [
    id,
    forSam(resource),
  ]);
  return { ...template, Resources: Object.fromEntries(resources) };
}

function forSam(resource: Resource): Resource {
  const { 'aws:cdk:path': path = '', ...Metadata } = resource.Metadata ?? {};
  if (resource.Type !== 'AWS::Lambda::Function') return { ...resource, Metadata };
  // The construct's name in the stack, such as `CreatePlant`.
  const [, SamResourceId = ''] = path.split('/');
  const Architectures = [arch() === 'arm64' ? 'arm64' : 'x86_64'];
  const Properties = { ...resource.Properties, Architectures };
  return { ...resource, Properties, Metadata: { ...Metadata, SamResourceId } };
}
