import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { FunctionName } from '../../names.ts';
import { buildFunction, functionFolder } from './build.ts';

/**
 * Returns the code of a function: its bundle and the module that loads it.
 * @param built a folder with bundles that another process has built; if undefined, this function builds the bundle
 */
export function bundle(name: FunctionName, built: string | undefined): Code {
  if (built !== undefined) {
    const folder = join(built, name);
    if (!existsSync(folder)) throw new Error(`${name} is a new function: stop npm start and run it again`);
    return Code.fromAsset(folder, { assetHash: name });
  }
  const source = functionFolder(name);
  if (!existsSync(source)) {
    throw new Error(`lambda/${name} does not exist: add it, or correct functionName in lib/operations.ts`);
  }
  return Code.fromAsset(source, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // This image is never pulled, because the local bundling below either succeeds or throws.
      image: DockerImage.fromRegistry('none'),
      local: {
        tryBundle: (outputFolder) => {
          buildFunction(name, outputFolder);
          return true;
        },
      },
    },
  });
}
