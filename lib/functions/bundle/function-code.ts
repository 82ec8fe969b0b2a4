import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { UserError } from '../../user-error.ts';
import type { FunctionName } from '../function-names.ts';
import { buildFunction, entryOf } from './build.ts';

/**
 * Returns the code of a function: its bundle and the module that loads it.
 *
 * @param builds a folder with the builds of another process; if undefined, this function builds the bundle
 * @throws UserError if the function does not exist
 */
export function functionCode(functionName: FunctionName, builds: string | undefined): Code {
  if (!existsSync(entryOf(functionName))) {
    throw new UserError(
      `lambda/${functionName}/index.ts is missing: add it, or correct the operationId in openapi.json`,
    );
  }
  if (builds !== undefined) {
    // This folder stays empty, because each build is in a folder of its own.
    return Code.fromAsset(join(builds, functionName), { assetHash: functionName });
  }
  return Code.fromAsset(dirname(entryOf(functionName)), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // This image is never pulled, because the local bundling below either succeeds or throws.
      image: DockerImage.fromRegistry('none'),
      local: {
        tryBundle: (outputFolder) => {
          buildFunction(functionName, outputFolder);
          return true;
        },
      },
    },
  });
}
