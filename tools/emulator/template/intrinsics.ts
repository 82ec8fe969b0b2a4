import { EmulatorError, unsupported } from '../emulator-error.ts';
import { arrayAt, isArray, isObject, type Json } from '../json.ts';
import { Properties } from '../properties.ts';
import { attributeOf, referenceOf } from './references.ts';
import type { Pseudo, Resolver } from './resolver.ts';
import type { Template } from './template.ts';

const FILE = 'emulator/template/intrinsics.ts';

type Intrinsic = (argument: Json, path: string, resolver: Resolver) => Json | undefined;

export function createResolver(template: Template, pseudo: Pseudo): Resolver {
  const resolver: Resolver = {
    template,
    pseudo,
    resolve: (value, path) => resolve(value, path, resolver),
    properties: ({ logicalId, properties }) =>
      new Properties(logicalId, (name) => resolve(properties[name], `${logicalId}.${name}`, resolver)),
  };
  return resolver;
}

function resolve(value: Json | undefined, path: string, resolver: Resolver): Json | undefined {
  if (isArray(value)) {
    return value.flatMap((entry) => {
      const resolved = resolve(entry, path, resolver);
      return resolved === undefined ? [] : [resolved];
    });
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  const call = entries.find(([name]) => name === 'Ref' || name.startsWith('Fn::'));
  if (call !== undefined && entries.length === 1) {
    const [name, argument] = call;
    const intrinsic = intrinsics[name];
    if (intrinsic === undefined) throw unsupported(`${path}: ${name}`, FILE);
    return intrinsic(argument, path, resolver);
  }
  const object: Record<string, Json> = {};
  for (const [key, entry] of entries) {
    const resolved = resolve(entry, `${path}.${key}`, resolver);
    if (resolved !== undefined) object[key] = resolved;
  }
  return object;
}

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (name, path, resolver) => reference(String(name), path, resolver),
  'Fn::GetAtt': (argument, path, resolver) => {
    const [logicalId = '', name = ''] = strings(argument, path);
    return attribute(logicalId, name, path, resolver);
  },
  'Fn::Join': (argument, path, resolver) => {
    const [separator, parts] = arrayAt(argument, path);
    return strings(resolve(parts, path, resolver), path).join(String(separator));
  },
  'Fn::Select': (argument, path, resolver) => {
    const [index, array] = arrayAt(argument, path);
    const entry = arrayAt(resolve(array, path, resolver), path)[Number(resolve(index, path, resolver))];
    if (entry === undefined)
      throw new EmulatorError(
        `${path}: Fn::Select finds no entry ${String(index)}: choose one that its array has`,
      );
    return entry;
  },
  'Fn::Split': (argument, path, resolver) => {
    const [separator, text] = arrayAt(argument, path);
    return String(resolve(text, path, resolver)).split(String(separator));
  },
};

function strings(value: Json | undefined, path: string): string[] {
  return arrayAt(value, path).map(String);
}

function pseudoParameters({ region, account, stackName }: Pseudo): Readonly<Record<string, Json>> {
  return {
    'AWS::Region': region,
    'AWS::AccountId': account,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::StackName': stackName,
  };
}

function reference(name: string, path: string, resolver: Resolver): Json | undefined {
  if (name === 'AWS::NoValue') return undefined;
  const resource = resolver.template.resources.get(name);
  if (resource !== undefined) return referenceOf(resource, resolver);
  if (resolver.template.leftOut.has(name)) return name;
  const pseudo = pseudoParameters(resolver.pseudo)[name];
  if (pseudo !== undefined) return pseudo;
  if (name.startsWith('AWS::')) throw unsupported(`${path}: ${name}`, FILE);
  throw undefinedName(name, path);
}

function attribute(logicalId: string, name: string, path: string, resolver: Resolver): Json {
  const resource = resolver.template.resources.get(logicalId);
  if (resolver.template.leftOut.has(logicalId)) return `${logicalId}.${name}`;
  if (resource === undefined) throw undefinedName(logicalId, path);
  const value = attributeOf(resource, name, resolver);
  if (value !== undefined) return value;
  throw unsupported(
    `${path}: Fn::GetAtt ${logicalId}.${name} (${resource.type})`,
    'emulator/template/references.ts',
  );
}

function undefinedName(name: string, path: string): EmulatorError {
  return new EmulatorError(`${path}: the template has no resource ${name}: add it, or refer to another`);
}
