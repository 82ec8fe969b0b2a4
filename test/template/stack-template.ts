import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { App, type AppProps } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { stageConfig } from '../../lib/config.ts';
import { PlantStoreStack } from '../../lib/plant-store-stack.ts';

const ROOT = join(import.meta.dirname, '../..');
const cdkJson = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8'));

// Every app writes its cloud assembly, to the folder for temporary files if it is given no other.
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-template-'));
  folders.push(folder);
  return folder;
}

/** The CloudFormation rules take two thirds of a synthesis; nag.test.ts applies them. */
const withoutRules = (): AppProps => ({ outdir: temporaryFolder(), builtinCloudFormationValidation: false });

/** The stack that `cdk synth -c NAME=VALUE` synthesizes, without bundling the functions. */
export function stackOf(context: Record<string, unknown> = {}, props = withoutRules()): PlantStoreStack {
  const likeTheCli = { 'aws:cdk:enable-path-metadata': true, 'aws:cdk:enable-asset-metadata': true };
  const app = new App({
    context: { ...cdkJson.context, ...likeTheCli, 'aws:cdk:bundling-stacks': [], ...context },
    ...props,
  });
  return new PlantStoreStack(app, stageConfig(app.node));
}

declare global {
  /** From test/support/native-environment.cjs. */
  var templatesOfWorker: Map<string, Template>;
}

/** Differs after an edit: a worker of `jest --watch` outlives it. */
const sources = ['lib', 'lambda'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => {
    return statSync(join(ROOT, folder, file)).mtimeMs;
  }),
);

/**
 * The template that `cdk synth -c NAME=VALUE` writes, without bundling the functions; once for the same context in all
 * test files of a worker, so a test must not change it.
 */
export function stackTemplate(context: Record<string, unknown> = {}): Template {
  const key = JSON.stringify([context, cdkJson, sources]);
  const template = templatesOfWorker.get(key) ?? Template.fromStack(stackOf(context));
  templatesOfWorker.set(key, template);
  return template;
}
