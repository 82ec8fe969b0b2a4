import { join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { FunctionName } from '../../names.ts';
import { buildFunction, functionFolder } from './build.ts';

/**
 * The code of a function: its bundle, and the few lines that load it.
 * @param built the folder of bundles that are built elsewhere; if it is undefined, the bundle is built here
 */
export function bundle(name: FunctionName, built: string | undefined): Code {
  if (built !== undefined) return Code.fromAsset(join(built, name), { assetHash: name });
  return Code.fromAsset(functionFolder(name), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never pulled: the local bundling below either succeeds or throws.
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
