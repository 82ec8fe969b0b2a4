import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyProject, type EditedProject } from './edited-project.ts';
import type { Json } from './template-resources.ts';

/**
 * Copies the project, replaces NewPlant with the schema in larger-contract.json, which has every supported keyword at
 * several depths, and generates the code.
 */
export function projectWithLargerContract(edit: (newPlant: Json) => void = () => {}): EditedProject {
  const project = copyProject();
  const contract = JSON.parse(project.read('openapi.json'));
  const larger = JSON.parse(readFileSync(join(import.meta.dirname, 'larger-contract.json'), 'utf8'));
  edit(larger.NewPlant);
  Object.assign(contract.components.schemas, larger);
  project.save('openapi.json', JSON.stringify(contract));
  execFileSync(process.execPath, ['bin/generate.ts'], { cwd: project.folder });
  return project;
}

/** Bundles the createPlant function of a copied project with the copy's own code. */
export function buildCreatePlant(project: EditedProject, folder: string): void {
  const script = `import { buildFunction } from './lib/functions/bundle/build.ts'; buildFunction('create-plant', ${JSON.stringify(folder)});`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: project.folder });
}
