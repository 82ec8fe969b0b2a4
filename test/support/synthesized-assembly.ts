const VARIABLE = 'PLANT_STORE_ASSEMBLY';

/** The folder with the app as Jest's global set-up synthesized it, for all tests of a run. */
export function synthesizedAssembly(): string {
  const folder = process.env[VARIABLE];
  if (folder === undefined) throw new Error('global-setup.ts has not run');
  return folder;
}

export function announceAssembly(folder: string): void {
  process.env[VARIABLE] = folder;
}
