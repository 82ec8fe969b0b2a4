import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Makes `.js` in the assets CommonJS, as it is in Lambda, where no package.json is above the code: without this,
 * the project's own `"type": "module"` would reach into an assembly that lies within the project.
 */
export async function endPackageScope(assembly: string): Promise<void> {
  const file = join(assembly, 'package.json');
  await access(file).catch(() => writeFile(file, '{}\n'));
}
