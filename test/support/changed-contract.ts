import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyProject, type EditedProject } from './edited-project.ts';

/** JSON of the schemas of a body with every honoured keyword, at any depth. */
export const largerContract: string = readFileSync(join(import.meta.dirname, 'larger-contract.json'), 'utf8');
const LINE = `{
  "type": "object",
  "required": ["sku"],
  "properties": {
    "sku": { "type": "integer", "format": "int64" },
    "count": { "type": "integer", "minimum": 1 },
    "part": { "$ref": "#/components/schemas/Line" }
  }
}`;

/** A copy of the project whose NewPlant is the larger contract, generated. Its digits are kept. */
export function projectWithLargerContract(): EditedProject {
  const project = copyProject();
  const contract = JSON.parse(project.read('openapi.json'));
  contract.components.schemas.NewPlant = 'NEW_PLANT';
  contract.components.schemas.Line = 'LINE';
  const { tagged } = contract.paths['/plants'].post.requestBody.content['application/json'].examples;
  contract.paths['/plants'].post.requestBody.content['application/json'].examples = { tagged };
  const text = JSON.stringify(contract, null, 2)
    .replace('"NEW_PLANT"', largerContract)
    .replace('"LINE"', LINE);
  project.save('openapi.json', text);
  generate(project);
  return project;
}

/** Builds createPlant of a copy, as the copy does. */
export function buildCreatePlant(project: EditedProject, folder: string): void {
  const script = `import { buildFunction } from './lib/functions/bundle/build.ts'; buildFunction('create-plant', ${JSON.stringify(folder)});`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: project.folder });
}

/** `npm run generate` in a copy. */
export function generate(project: EditedProject): void {
  execFileSync(process.execPath, ['bin/generate.ts'], { cwd: project.folder });
}
