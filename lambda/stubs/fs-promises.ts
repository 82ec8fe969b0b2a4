/**
 * Bundled in the place of `node:fs/promises`, which takes a millisecond to load: only the SDK's search for
 * settings in `~/.aws` would use it. It finds nothing, and warns of a setting that isn't said.
 */
export async function readFile(path: string): Promise<never> {
  process.emitWarning(`${path} is not looked into: say the setting in lambda/shared/sdk-settings.ts`);
  throw new Error(`a function reads no files, and ${path} was asked for`);
}
