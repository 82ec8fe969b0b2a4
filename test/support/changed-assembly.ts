import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { templateFile } from '../../lib/names.ts';
import { synthesizedAssembly } from './synthesized-assembly.ts';

export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: CloudFormation's, whatever the test wants to change
  readonly Properties: any;
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  readonly Metadata: any;
}

export interface ChangedAssembly {
  readonly folder: string;
  remove(): Promise<void>;
}

/** A copy of the synthesized app in which a test has changed the template, as a change in lib/ would. */
export async function changedAssembly(change: Change): Promise<ChangedAssembly> {
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-changed-'));
  await cp(synthesizedAssembly(), folder, { recursive: true });
  const file = join(folder, templateFile('dev'));
  const template = JSON.parse(await readFile(file, 'utf8'));
  change(findIn(template.Resources), folder);
  await writeFile(file, JSON.stringify(template));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Changes resources that it finds; `assembly` is the folder that asset paths are relative to. */
export type Change = (find: FindResources, assembly: string) => void;

/** The resources of a type whose logical id starts so. */
export type FindResources = (type: string, logicalId?: string) => Resource[];

function findIn(resources: Record<string, Resource>): FindResources {
  return (type, logicalId = '') =>
    Object.entries(resources)
      .filter(([id, { Type }]) => Type === type && id.startsWith(logicalId))
      .map(([, resource]) => resource);
}
