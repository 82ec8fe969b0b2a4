import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';

const LAMBDA_FOLDER = join(import.meta.dirname, '../lambda');

/**
 * The code of a function: one file with all that it runs.
 *
 * @param name the function's folder under `lambda/`, whose `index.ts` exports `handler`
 */
export function bundle(name: string): Code {
  const folder = join(LAMBDA_FOLDER, name);
  return Code.fromAsset(folder, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never pulled: the local bundling below either succeeds or throws.
      image: DockerImage.fromRegistry('none'),
      local: {
        tryBundle: (outputFolder) => {
          build(join(folder, 'index.ts'), outputFolder);
          return true;
        },
      },
    },
  });
}

function build(entry: string, outputFolder: string): void {
  buildSync({
    entryPoints: [entry],
    outfile: join(outputFolder, 'index.js'),
    bundle: true,
    platform: 'node',
    target: 'node24',
    // CommonJS loads faster than ESM on Lambda, but packages are taken as ESM, which can be tree-shaken.
    format: 'cjs',
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'external',
    logLevel: 'error',
  });
  // Where the bundle is run from within this repository, it isn't to be taken for ESM.
  writeFileSync(join(outputFolder, 'package.json'), '{"type":"commonjs"}\n');
}
