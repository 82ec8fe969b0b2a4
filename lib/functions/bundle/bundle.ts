import { join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, build } from './build.ts';

const LAMBDA_FOLDER = join(import.meta.dirname, '../../../lambda');

/**
 * The code of a function: its bundle, and the few lines that load it.
 *
 * @param name the function's folder under `lambda/`, whose `index.ts` exports `handler` and, if it
 *   connects to DynamoDB, `warmUp`
 */
export function bundle(name: string, options: BuildOptions): Code {
  const folder = join(LAMBDA_FOLDER, name);
  return Code.fromAsset(folder, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never pulled: the local bundling below either succeeds or throws.
      image: DockerImage.fromRegistry('none'),
      local: {
        tryBundle: (outputFolder) => {
          build(join(folder, 'index.ts'), outputFolder, options);
          return true;
        },
      },
    },
  });
}
