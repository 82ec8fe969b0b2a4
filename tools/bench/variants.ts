import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { synthesize } from '@plant-store/emulator';
import { buildSync } from 'esbuild';
import { build } from '../../lib/functions/bundle/build.ts';
import { templateFile } from '../../lib/names.ts';

export const KINDS = ['create-plant', 'authorize'] as const;
export type Kind = (typeof KINDS)[number];

export interface Variant {
  readonly name: string;
  /** The module that exports the handler. */
  readonly entry: string;
  readonly bytes: number;
}

interface Template {
  readonly Resources: Record<
    string,
    {
      readonly Type: string;
      readonly Properties: { readonly Environment?: { readonly Variables: object } };
      readonly Metadata: { readonly 'aws:asset:path': string };
    }
  >;
}

/** The environment variable by which a function is found in the template. */
const TABLE: Record<Kind, string> = { 'create-plant': 'PLANTS_TABLE', authorize: 'TOKENS_TABLE' };

/** Returns all variants of a function: two from the synthesized app's asset, and two that are built in the folder. */
export function buildVariants(kind: Kind, assembly: string, folder: string): Variant[] {
  const asset = assetOf(kind, assembly);
  return [
    { name: 'ours', ...deployed(asset) },
    // The same code as ours, but without index.mjs, which warms it up during init.
    { name: 'without warm-up', entry: join(asset, 'function.cjs'), bytes: bytesOf(asset, 'function.cjs') },
    buildUsual(kind, folder),
    buildHandWritten(kind, folder),
  ];
}

/**
 * Returns the function as it was at a different commit.
 *
 * @param assembly the folder that `cdk synth` wrote at that commit
 */
export function baselineOf(kind: Kind, assembly: string): Variant {
  return { name: 'baseline', ...deployed(assetOf(kind, resolve(assembly))) };
}

const deployed = (asset: string) => ({
  entry: join(asset, 'index.mjs'),
  bytes: bytesOf(asset, 'function.cjs', 'index.mjs'),
});

/** Synthesizes the app as `cdk synth --no-validation` does. */
export async function synthesizedAssembly(folder: string): Promise<string> {
  const output = join(folder, 'cdk.out');
  await synthesize({ project: join(import.meta.dirname, '../..'), output });
  return output;
}

function assetOf(kind: Kind, assembly: string): string {
  const { Resources }: Template = JSON.parse(readFileSync(join(assembly, templateFile('dev')), 'utf8'));
  const ours = Object.values(Resources).find(
    ({ Type, Properties }) =>
      Type === 'AWS::Lambda::Function' && TABLE[kind] in (Properties.Environment?.Variables ?? {}),
  );
  if (ours === undefined) {
    throw new Error(`the template has no function with the environment variable ${TABLE[kind]}`);
  }
  return join(assembly, ours.Metadata['aws:asset:path']);
}

/** Builds and minifies the variant that most tutorials suggest, with esbuild's defaults for Node. */
function buildUsual(kind: Kind, folder: string): Variant {
  const entry = join(folder, `usual-${kind}.cjs`);
  buildSync({
    entryPoints: [source(`usual-${kind}`)],
    outfile: entry,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    logLevel: 'error',
  });
  return { name: 'usual', entry, bytes: statSync(entry).size };
}

/** Builds the variant without a framework, with the same options as the deployed bundles. */
function buildHandWritten(kind: Kind, folder: string): Variant {
  const output = join(folder, `hand-written-${kind}`);
  mkdirSync(output);
  build(source(`hand-written-${kind}`), output);
  return {
    name: 'hand-written',
    entry: join(output, 'function.cjs'),
    bytes: bytesOf(output, 'function.cjs'),
  };
}

const source = (name: string) => join(import.meta.dirname, 'variants', `${name}.ts`);

function bytesOf(folder: string, ...files: string[]): number {
  return files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}
