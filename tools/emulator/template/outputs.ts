import { unsupported } from '../emulator-error.ts';
import { objectAt } from '../json.ts';
import type { Resolver } from './resolver.ts';

/** The template's Outputs by name, with `localUrl` in place of the deployed API's URL, also of a custom domain. */
export function resolveOutputs(
  resolver: Resolver,
  { apiId, stage }: { readonly apiId: string; readonly stage: string },
  localUrl: string,
): Readonly<Record<string, string>> {
  const { template, pseudo } = resolver;
  const deployedUrls = [
    `https://${apiId}.execute-api.${pseudo.region}.amazonaws.com/${stage}`,
    ...customDomains(resolver).map((name) => `https://${name}`),
  ];
  const outputs: Record<string, string> = {};
  for (const [name, output] of Object.entries(template.outputs)) {
    const path = `Outputs.${name}`;
    const { Value = '', Condition } = objectAt(output, path);
    if (Condition !== undefined) throw unsupported(`${path}: a Condition`, 'emulator/template/outputs.ts');
    const value = String(resolver.resolve(Value, path));
    outputs[name] = deployedUrls.reduce((text, url) => text.replace(url, localUrl), value);
  }
  return outputs;
}

function customDomains(resolver: Resolver): readonly string[] {
  return [...resolver.template.resources.values()]
    .filter(({ type }) => type === 'AWS::ApiGateway::DomainName')
    .map((domain) => resolver.properties(domain).string('DomainName'));
}
