import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { stageConfig } from '../../lib/config.ts';
import { PlantStoreStack } from '../../lib/plant-store-stack.ts';

const cdkJson = JSON.parse(readFileSync(join(import.meta.dirname, '../../cdk.json'), 'utf8'));

/** The stack that `cdk synth -c NAME=VALUE` synthesizes, without bundling the functions. */
export function stackOf(context: Record<string, unknown> = {}, outdir?: string): PlantStoreStack {
  const likeTheCli = { 'aws:cdk:enable-path-metadata': true };
  const app = new App({
    context: { ...cdkJson.context, ...likeTheCli, 'aws:cdk:bundling-stacks': [], ...context },
    ...(outdir === undefined ? {} : { outdir }),
  });
  return new PlantStoreStack(app, stageConfig(app.node));
}

/** The template that `cdk synth -c NAME=VALUE` writes, without bundling the functions. */
export function stackTemplate(context: Record<string, unknown> = {}): Template {
  return Template.fromStack(stackOf(context));
}
