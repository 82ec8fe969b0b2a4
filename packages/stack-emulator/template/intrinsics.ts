import { unsupported } from '../errors.ts';
import { arrayAt, isArray, isObject, type Json, objectAt, Properties } from '../json.ts';
import { displayName, type Resource } from './resources.ts';
import type { Template } from './template.ts';

export const REGION = 'us-east-1';
/** The account that AWS uses in examples. */
export const ACCOUNT = '123456789012';

export type ResourceProperties = Properties & { readonly logicalId: string };

/** Resolves the template's intrinsic functions. Each value is resolved only when it is needed. */
export class Resolver {
  readonly template: Template;

  constructor(template: Template) {
    this.template = template;
  }

  /** Returns undefined for an absent value. `path` names the value in errors. @throws UserError */
  resolve(value: Json | undefined, path: string): Json | undefined {
    if (isArray(value)) {
      return value.map((entry) => this.resolve(entry, path)).filter((entry) => entry !== undefined);
    }
    if (!isObject(value)) return value;
    const entries = Object.entries(value);
    const call = entries.find(([name]) => name === 'Ref' || name.startsWith('Fn::'));
    if (call !== undefined && entries.length === 1) {
      const [name, argument] = call;
      const intrinsic = intrinsics[name];
      if (intrinsic === undefined) throw unsupported(`${path}: ${name}`);
      return intrinsic(argument, path, this);
    }
    const resolved = entries.map(([key, entry]) => [key, this.resolve(entry, `${path}.${key}`)]);
    return Object.fromEntries(resolved);
  }

  propertiesOf(resource: Resource): ResourceProperties {
    const path = displayName(resource);
    const properties = new Properties(path, (name) =>
      this.resolve(resource.properties[name], `${path}.${name}`),
    );
    return Object.assign(properties, { logicalId: resource.logicalId });
  }

  allOfType(...types: readonly string[]): readonly ResourceProperties[] {
    return this.template.resources
      .filter(({ type }) => types.includes(type))
      .map((resource) => this.propertiesOf(resource));
  }
}

type Intrinsic = (argument: Json, path: string, resolver: Resolver) => Json | undefined;

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (name, path, resolver) => resolveRef(String(name), path, resolver),
  'Fn::GetAtt': (argument, path, resolver) => {
    const [logicalId = '', name = ''] = strings(argument, path);
    if (resolver.template.leftOut.has(logicalId)) return `${logicalId}.${name}`;
    const resource = resourceOf(logicalId, resolver);
    const value = resource && attributes[`${resource.type}.${name}`]?.(resource, resolver);
    if (value === undefined) throw unsupported(`${path}: Fn::GetAtt ${logicalId}.${name}`);
    return value;
  },
  'Fn::Join': (argument, path, resolver) => {
    const [separator, parts] = arrayAt(argument, path);
    return strings(resolver.resolve(parts, path), path).join(String(separator));
  },
  'Fn::Select': (argument, path, resolver) => {
    const [index, array] = arrayAt(argument, path);
    return arrayAt(resolver.resolve(array, path), path)[Number(resolver.resolve(index, path))];
  },
  'Fn::Split': (argument, path, resolver) => {
    const [separator, text] = arrayAt(argument, path);
    return String(resolver.resolve(text, path)).split(String(separator));
  },
};

function strings(value: Json | undefined, path: string): string[] {
  return arrayAt(value, path).map(String);
}

function resourceOf(logicalId: string, { template }: Resolver): Resource | undefined {
  return template.resources.find((resource) => resource.logicalId === logicalId);
}

function resolveRef(name: string, path: string, resolver: Resolver): string {
  const resource = resourceOf(name, resolver);
  if (resource !== undefined) return refOf(resource, resolver);
  const value = resolver.template.leftOut.has(name) ? name : pseudoParameters.get(name);
  if (value === undefined) throw unsupported(`${path}: Ref ${name}`);
  return value;
}

const pseudoParameters = new Map([
  ['AWS::Region', REGION],
  ['AWS::AccountId', ACCOUNT],
  ['AWS::Partition', 'aws'],
  ['AWS::URLSuffix', 'amazonaws.com'],
]);

type ValueOf = (resource: Resource, resolver: Resolver) => string;

/** The values of `Ref`, for the resource types whose `Ref` is not the logical id. */
const refs: Readonly<Record<string, ValueOf>> = {
  'AWS::Lambda::Function': named('FunctionName'),
  // The emulator has only one version of each function: `$LATEST` and every alias run the same code.
  'AWS::Lambda::Alias': (alias, resolver) => {
    const properties = resolver.propertiesOf(alias);
    const name = properties.string('Name');
    const target = properties.string('FunctionName');
    const [, unqualified = target] = /function:([^:]+)/.exec(target) ?? [];
    return functionArn(`${unqualified}:${name}`);
  },
  'AWS::ApiGateway::Stage': named('StageName'),
};

const attributes: Readonly<Record<string, ValueOf>> = {
  'AWS::Lambda::Function.Arn': (resource, resolver) => functionArn(refOf(resource, resolver)),
  'AWS::ApiGateway::RestApi.RootResourceId': ({ logicalId }) => `${logicalId}-root`,
  'AWS::ApiGateway::DomainName.RegionalDomainName': ({ logicalId }) =>
    `${logicalId}.execute-api.${REGION}.amazonaws.com`,
};

/** Returns the value of `Ref`. If AWS would generate a name, returns the logical id, as `sam local` does. */
export function refOf(resource: Resource, resolver: Resolver): string {
  return refs[resource.type]?.(resource, resolver) ?? resource.logicalId;
}

function named(property: string): ValueOf {
  return (resource, resolver) =>
    resolver.propertiesOf(resource).optionalString(property) ?? resource.logicalId;
}

function functionArn(name: string): string {
  return `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`;
}

export function resolveOutputs(resolver: Resolver): Readonly<Record<string, string>> {
  const entries = Object.entries(resolver.template.outputs).map(([name, output]) => {
    const path = `Outputs.${name}`;
    return [name, String(resolver.resolve(objectAt(output, path).Value, path))];
  });
  return Object.fromEntries(entries);
}
