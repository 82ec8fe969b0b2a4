import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { stageConfig } from '../../lib/config.ts';
import { PlantStoreStack } from '../../lib/plant-store-stack.ts';

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation's, whatever it is
export type Json = any;

export interface Resource {
  readonly logicalId: string;
  /** Of the construct, without the stack: `Plants/Resource`. */
  readonly path: string;
  readonly Type: string;
  readonly Properties: Json;
  readonly DependsOn: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly UpdatePolicy?: Json;
}

const { context } = JSON.parse(readFileSync(join(import.meta.dirname, '../../cdk.json'), 'utf8'));

/** @param outdir where synthesis writes; a temporary folder where it isn't given */
export function synthesizedApp(options: Record<string, unknown>, outdir?: string): App {
  const likeTheCli = { 'aws:cdk:enable-path-metadata': true };
  // Without bundling the functions, which no template shows.
  const unbundled = { 'aws:cdk:bundling-stacks': [] };
  const app = new App({
    context: { ...context, ...likeTheCli, ...unbundled, ...options },
    ...(outdir === undefined ? {} : { outdir }),
  });
  new PlantStoreStack(app, stageConfig(app.node));
  return app;
}

export function synthesizedStack(options: Record<string, unknown> = {}): PlantStoreStack {
  const [stack] = synthesizedApp(options).node.children.filter((child) => child instanceof PlantStoreStack);
  if (stack === undefined) throw new Error('the app has no stack');
  return stack;
}

/** The resources of the template that `cdk synth -c NAME=VALUE` would make. */
export function synthesizedResources(options: Record<string, unknown> = {}): readonly Resource[] {
  return resourcesOf(Template.fromStack(synthesizedStack(options)).toJSON());
}

export function resourcesOf(template: Json): readonly Resource[] {
  return Object.entries<Json>(template.Resources).map(([logicalId, resource]) => ({
    DependsOn: [],
    ...resource,
    logicalId,
    path: `${resource.Metadata?.['aws:cdk:path']}`.split('/').slice(1).join('/'),
  }));
}

export function ofType(resources: readonly Resource[], type: string): readonly Resource[] {
  return resources.filter(({ Type }) => Type === type);
}

/**
 * A value of a template for people: a logical id stands for a reference, with its attribute where it has
 * one, such as `Plants.Arn`; the random end of logical ids is left out.
 */
export function readable(value: Json): string {
  if (typeof value === 'string') return value;
  if (value?.Ref) return shortened(value.Ref);
  if (value?.['Fn::GetAtt']) return `${shortened(value['Fn::GetAtt'][0])}.${value['Fn::GetAtt'][1]}`;
  if (value?.['Fn::Join']) return value['Fn::Join'][1].map(readable).join(value['Fn::Join'][0]);
  return JSON.stringify(value);
}

function shortened(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}$/, '');
}
