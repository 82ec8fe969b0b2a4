import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { FunctionName } from '../../names.ts';
import { type BuildOptions, buildFunction, functionFolder } from './build.ts';

/** The code of a function: its bundle, and the few lines that load it. */
export function bundle(name: FunctionName, options: Pick<BuildOptions, 'readable'>): Code {
  return Code.fromAsset(functionFolder(name), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never pulled: the local bundling below either succeeds or throws.
      image: DockerImage.fromRegistry('none'),
      local: {
        tryBundle: (outputFolder) => {
          buildFunction(name, outputFolder, options);
          return true;
        },
      },
    },
  });
}
