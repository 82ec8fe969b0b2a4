import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { stageConfig } from '../../lib/config.ts';
import { PlantStoreStack } from '../../lib/plant-store-stack.ts';

const cdkJson = JSON.parse(readFileSync(join(import.meta.dirname, '../../cdk.json'), 'utf8'));

/** The template that `cdk synth -c …` writes, functions not bundled. */
export function stackTemplate(context: Record<string, string> = {}): Template {
  const app = new App({ context: { ...cdkJson.context, 'aws:cdk:bundling-stacks': [], ...context } });
  return Template.fromStack(new PlantStoreStack(app, stageConfig(app.node)));
}
