import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { templateFile } from '../../../lib/names.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { addStack, appOf, quietly } from './stack-template.ts';
import { synthesizedAssembly } from './synthesized-assembly.ts';
import type { Json } from './template-resources.ts';

/**
 * Returns the folder of a copy of the synthesized app whose template `change` has edited, as if lib/ had been edited. Without
 * options, this is the app that all tests share.
 */
export function changedAssembly(
  change: Change,
  options?: Readonly<Record<string, string>>,
): string {
  const folder = temporaryFolder();
  const assembly = options === undefined ? synthesizedAssembly() : synthesized(options);
  cpSync(assembly, folder, { recursive: true });
  const file = join(folder, templateFile('dev'));
  const template = JSON.parse(readFileSync(file, 'utf8'));
  change(findIn(template.Resources), folder);
  writeFileSync(file, JSON.stringify(template));
  return folder;
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
