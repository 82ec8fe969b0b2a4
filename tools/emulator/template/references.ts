import type { Json } from '../json.ts';
import type { Resolver } from './resolver.ts';
import type { Resource } from './resource.ts';

type Reference = (resource: Resource, resolver: Resolver) => Json | undefined;

/** The values of `Ref` that are not the logical id. */
const refs: Readonly<Record<string, Reference>> = {
  'AWS::Lambda::Function': named('FunctionName'),
  // The only version in the emulator; `$LATEST` and every alias are the same code.
  'AWS::Lambda::Version': (version, resolver) => qualifiedArn(version, '1', resolver),
  'AWS::Lambda::Alias': (alias, resolver) =>
    qualifiedArn(alias, resolver.properties(alias).string('Name'), resolver),
  'AWS::ApiGateway::Stage': named('StageName'),
  'AWS::Logs::LogGroup': named('LogGroupName'),
};

const attributes: Readonly<Record<string, Reference>> = {
  'AWS::Lambda::Function.Arn': (resource, resolver) =>
    functionArn(String(referenceOf(resource, resolver)), resolver),
  'AWS::ApiGateway::RestApi.RootResourceId': ({ logicalId }) => `${logicalId}-root`,
  'AWS::ApiGateway::DomainName.RegionalDomainName': ({ logicalId }, { pseudo }) =>
    `${logicalId}.execute-api.${pseudo.region}.amazonaws.com`,
};

/** The value of `Ref`: the logical id if AWS would generate a name (as `sam local` does). */
export function referenceOf(resource: Resource, resolver: Resolver): Json | undefined {
  const ref = refs[resource.type];
  return ref === undefined ? resource.logicalId : ref(resource, resolver);
}

/** The value of `Fn::GetAtt`; undefined if the emulator does not support the attribute. */
export function attributeOf(resource: Resource, name: string, resolver: Resolver): Json | undefined {
  return attributes[`${resource.type}.${name}`]?.(resource, resolver);
}

function named(property: string): Reference {
  return (resource, resolver) => resolver.properties(resource).optionalString(property) ?? resource.logicalId;
}

function functionArn(name: string, { pseudo }: Resolver): string {
  return `arn:aws:lambda:${pseudo.region}:${pseudo.account}:function:${name}`;
}

/** The ARN of the function that a version or an alias belongs to, with its qualifier. */
function qualifiedArn(resource: Resource, qualifier: string, resolver: Resolver): string {
  const name = resolver.properties(resource).string('FunctionName');
  const [, unqualified = name] = /function:([^:]+)/.exec(name) ?? [];
  return functionArn(`${unqualified}:${qualifier}`, resolver);
}
