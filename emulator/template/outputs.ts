import { objectOf } from '../json.ts';
import { conditionHolds } from './conditions.ts';
import type { Resolver } from './intrinsics.ts';

/** The template's Outputs by name, with `localUrl` wherever AWS's address of the API would stand. */
export function resolveOutputs(
  resolver: Resolver,
  { apiId, stage }: { readonly apiId: string; readonly stage: string },
  localUrl: string,
): Readonly<Record<string, string>> {
  const { template, pseudo } = resolver;
  const deployedUrl = `https://${apiId}.execute-api.${pseudo.region}.amazonaws.com/${stage}`;
  const outputs: Record<string, string> = {};
  for (const [name, output] of Object.entries(template.outputs)) {
    const { Value = '', Condition } = objectOf(output, name);
    if (typeof Condition === 'string' && !conditionHolds(Condition, resolver)) continue;
    outputs[name] = String(resolver.resolve(Value, `Outputs.${name}`)).replace(deployedUrl, localUrl);
  }
  return outputs;
}
