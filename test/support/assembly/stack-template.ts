import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { addNagChecks } from '../../../lib/nag.ts';
import { PlantStoreStack } from '../../../lib/plant-store-stack.ts';
import { stageConfig } from '../../../lib/stage-config.ts';
import { stackName } from '../../../lib/stage-names.ts';
import { read } from '../pages/code-blocks.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { builtOnce } from './synthesized-assembly.ts';
import { type Json, type Resource, resourcesOf } from './template-resources.ts';

const cdkJson = JSON.parse(read('cdk.json'));

/**
 * Returns an app like the one that `cdk synth -c NAME=VALUE` runs, but without bundling functions and, by default,
 * without CloudFormation's validation rules, which take 0.4 s, or 2 s for a worker's first app.
 */
export function appOf(
  context: Record<string, unknown> = {},
  builtinCloudFormationValidation = false,
): App {
  const likeTheCli = {
    'aws:cdk:enable-path-metadata': true,
    'aws:cdk:enable-asset-metadata': true,
  };
  // Stack traces take a quarter of the time, and no test reads them.
  const fast = { 'aws:cdk:disable-creation-stack-traces': true, 'aws:cdk:bundling-stacks': [] };
  return new App({
    context: { ...cdkJson.context, ...likeTheCli, ...fast, ...context },
    outdir: temporaryFolder(),
    builtinCloudFormationValidation,
  });
}

export function addStack(app: App): PlantStoreStack {
  const config = stageConfig(app.node);
  return new PlantStoreStack(app, stackName(config.stage), { config });
}

/** The stack that `cdk synth -c NAME=VALUE` synthesizes. */
export function stackOf(context: Record<string, unknown> = {}): PlantStoreStack {
  return addStack(appOf(context));
}

/** Synthesizes an app with cdk-nag. Returns unacknowledged and acknowledged violations separately. */
export function checked(app: App) {
  addNagChecks(app);
  const assembly = quietly(() => app.synth());
  const reports = reportsIn(assembly.directory);
  const all = (list: string): Json[] => reports.flatMap((report) => report[list] ?? []);
  return {
    assembly,
    violations: all('violations'),
    acknowledged: all('suppressedViolations'),
  };
}

/** The reports of cdk-nag and other checks. */
export function reportsIn(assembly: string): Json[] {
  return JSON.parse(readFileSync(join(assembly, 'validation-report.json'), 'utf8')).pluginReports;
}

/** Hides what the CDK prints during `work`. */
export function quietly<Result>(work: () => Result): Result {
  const print = jest.spyOn(console, 'error').mockReturnValue();
  const result = work();
  print.mockRestore();
  return result;
}

/**
 * The template that `cdk synth -c NAME=VALUE` writes, but without bundling the functions. The first test that needs it
 * synthesizes it for the tests in all files, because this takes half a second.
 */
export function stackTemplate(context: Record<string, unknown> = {}): Json {
  const name = createHash('sha256').update(JSON.stringify(context)).digest('hex');
  const file = builtOnce(`${name}.json`);
  if (!existsSync(file)) {
    const template = quietly(() => Template.fromStack(stackOf(context)).toJSON());
    // Another worker may read the file, or write it too.
    const written = `${file}.${process.pid}`;
    writeFileSync(written, JSON.stringify(template));
    renameSync(written, file);
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

export function stackResources(options: Record<string, unknown> = {}): readonly Resource[] {
  return resourcesOf(stackTemplate(options));
}
