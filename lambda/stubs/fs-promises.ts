/**
 * The stub for `node:fs/promises`: only the SDK would use it, to read settings from `~/.aws`, which a function
 * does not have. Warns of a setting that is missing in lambda/shared/dynamodb.ts.
 */
export async function readFile(path: string): Promise<never> {
  process.emitWarning(`${path} is ignored; set the option in lambda/shared/dynamodb.ts`);
  throw new Error(`a function reads no files: ${path}`);
}
