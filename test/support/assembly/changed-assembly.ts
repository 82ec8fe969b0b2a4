import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { templateFile } from '../../../lib/names.ts';
import { addStack, appOf, quietly } from './stack-template.ts';
import { synthesizedAssembly } from './synthesized-assembly.ts';
import type { Json } from './template-resources.ts';

export interface ChangedAssembly {
  readonly folder: string;
  remove(): Promise<void>;
}

/**
 * Returns a copy of the synthesized app whose template `change` has edited, as if lib/ had been edited. Without
 * options, this is the app that all tests share.
 */
export async function changedAssembly(
  change: Change,
  options?: Readonly<Record<string, string>>,
): Promise<ChangedAssembly> {
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-changed-'));
  const assembly = options === undefined ? synthesizedAssembly() : synthesized(options);
  await cp(assembly, folder, { recursive: true });
  const file = join(folder, templateFile('dev'));
  const template = JSON.parse(await readFile(file, 'utf8'));
  change(findIn(template.Resources), folder);
  await writeFile(file, JSON.stringify(template));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Changes the resources that `find` returns. Asset paths are relative to the folder `assembly`. */
export type Change = (find: FindResources, assembly: string) => void;

/** Returns the resources of a type whose logical ids start with `logicalId`. */
type FindResources = (type: string, logicalId?: string) => Json[];

function findIn(resources: Record<string, Json>): FindResources {
  return (type, logicalId = '') =>
    Object.entries(resources)
      .filter(([id, { Type }]) => Type === type && id.startsWith(logicalId))
      .map(([, resource]) => resource);
}

/** Synthesizes an app with bundled functions, and returns the folder of its assembly. */
function synthesized(options: Readonly<Record<string, string>>): string {
  const app = appOf({ 'aws:cdk:bundling-stacks': ['**'], ...options });
  return quietly(() => {
    addStack(app);
    return app.synth().directory;
  });
}
