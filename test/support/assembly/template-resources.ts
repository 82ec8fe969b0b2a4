// biome-ignore lint/suspicious/noExplicitAny: any value of a CloudFormation template
export type Json = any;

export interface Resource {
  readonly logicalId: string;
  /** The construct's path without the stack, such as `Plants/Resource`. */
  readonly path: string;
  readonly Type: string;
  readonly Properties: Json;
  readonly DependsOn: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly UpdatePolicy?: Json;
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
 * Returns a template value as readable text. A reference becomes the logical id without its hash, followed by the
 * attribute, if any, such as `Plants.Arn`.
 */
export function readable(value: Json): string {
  if (typeof value === 'string') return value;
  if (value?.Ref) return shortened(value.Ref);
  if (value?.['Fn::GetAtt'])
    return `${shortened(value['Fn::GetAtt'][0])}.${value['Fn::GetAtt'][1]}`;
  if (value?.['Fn::Join']) return value['Fn::Join'][1].map(readable).join(value['Fn::Join'][0]);
  return JSON.stringify(value);
}

function shortened(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}([0-9a-f]{32})?$/, '');
}
