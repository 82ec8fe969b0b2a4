const VARIABLE = 'PLANT_STORE_ASSEMBLY';

/** The folder of the app that global-setup.ts synthesizes once for all tests. */
export function synthesizedAssembly(): string {
  const folder = process.env[VARIABLE];
  if (folder === undefined) throw new Error('global-setup.ts has not run: start the tests with npm test');
  return folder;
}

export function announceAssembly(folder: string): void {
  process.env[VARIABLE] = folder;
}
