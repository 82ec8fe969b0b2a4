import { EmulatorError, unsupported } from '../emulator-error.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  objectOf,
  required,
  textOf,
} from '../json.ts';
import { conditionHolds } from './conditions.ts';
import { type Pseudo, pseudoParameters } from './pseudo-parameters.ts';
import { attributeOf, referenceOf } from './references.ts';
import type { Resource, Template } from './template.ts';

/** Resolves the template's intrinsic functions, only where and when a value is asked for. */
export interface Resolver {
  readonly template: Template;
  readonly pseudo: Pseudo;
  /** `where` names the place in errors; undefined is `AWS::NoValue`. @throws EmulatorError */
  resolve(value: Json | undefined, where: string): Json | undefined;
  /** One property of a resource, resolved to its depth. */
  property(resource: Resource, name: string): Json | undefined;
}

type Intrinsic = (argument: Json, where: string, resolver: Resolver) => Json | undefined;

export function createResolver(template: Template, pseudo: Pseudo): Resolver {
  const resolver: Resolver = {
    template,
    pseudo,
    resolve: (value, where) => resolve(value, where, resolver),
    property: ({ logicalId, properties }, name) =>
      resolve(properties[name], `${logicalId}.${name}`, resolver),
  };
  return resolver;
}

function resolve(value: Json | undefined, where: string, resolver: Resolver): Json | undefined {
  if (isArray(value)) {
    return value.flatMap((entry) => {
      const resolved = resolve(entry, where, resolver);
      return resolved === undefined ? [] : [resolved];
    });
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  const call = entries.find(([name]) => name === 'Ref' || name.startsWith('Fn::'));
  if (call !== undefined && entries.length === 1) {
    const [name, argument] = call;
    const intrinsic = intrinsics[name];
    if (intrinsic === undefined)
      throw unsupported(`${where}: the emulator doesn't know ${name}`, 'emulator/template/intrinsics.ts');
    return intrinsic(argument, where, resolver);
  }
  const object: Record<string, Json> = {};
  for (const [key, entry] of entries) {
    const resolved = resolve(entry, `${where}.${key}`, resolver);
    if (resolved !== undefined) object[key] = resolved;
  }
  return object;
}

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (name, where, resolver) => reference(String(name), where, resolver),
  'Fn::GetAtt': (argument, where, resolver) =>
    attribute(typeof argument === 'string' ? argument : texts(argument, where).join('.'), where, resolver),
  'Fn::Join': (argument, where, resolver) => {
    const [separator, parts] = listOf(argument, where);
    return texts(resolve(parts, where, resolver), where).join(required(textOf(separator, where), where));
  },
  'Fn::Sub': (argument, where, resolver) => {
    const [text, variables] = isArray(argument) ? argument : [argument];
    return substitute(required(textOf(text, where), where), objectOf(variables, where), where, resolver);
  },
  'Fn::Select': (argument, where, resolver) => {
    const [index, list] = listOf(argument, where);
    const entry = listOf(resolve(list, where, resolver), where)[Number(resolve(index, where, resolver))];
    if (entry === undefined)
      throw new EmulatorError(
        `${where}: Fn::Select finds no entry ${String(index)}: choose one that its list has`,
      );
    return entry;
  },
  'Fn::Split': (argument, where, resolver) => {
    const [separator, text] = listOf(argument, where);
    return String(resolve(text, where, resolver)).split(String(separator));
  },
  'Fn::If': (argument, where, resolver) => {
    const [condition, whenTrue, whenFalse] = listOf(argument, where);
    return resolve(conditionHolds(String(condition), resolver) ? whenTrue : whenFalse, where, resolver);
  },
  'Fn::FindInMap': (argument, where, resolver) => {
    const keys = texts(resolve(argument, where, resolver), where);
    const found = keys.reduce<Json | undefined>(
      (level, key) => (isObject(level) ? level[key] : undefined),
      resolver.template.mappings,
    );
    if (found === undefined)
      throw new EmulatorError(
        `${where}: Fn::FindInMap finds no ${keys.join('.')}: add it to Mappings, or look for another`,
      );
    return found;
  },
};

function texts(value: Json | undefined, where: string): string[] {
  return listOf(value, where).map(String);
}

function reference(name: string, where: string, resolver: Resolver): Json | undefined {
  if (name === 'AWS::NoValue') return undefined;
  const resource = resolver.template.resources.get(name);
  if (resource !== undefined) return referenceOf(resource, resolver);
  const pseudo = pseudoParameters(resolver.pseudo)[name];
  if (pseudo !== undefined) return pseudo;
  const parameter = resolver.template.parameters[name];
  if (name.startsWith('AWS::')) {
    throw unsupported(
      `${where}: the emulator doesn't know ${name}`,
      'emulator/template/pseudo-parameters.ts',
    );
  }
  if (!isObject(parameter)) throw nothingCalled(name, where);
  if (parameter.Default !== undefined) return parameter.Default;
  throw new EmulatorError(`${where}: the parameter ${name} has no value on this machine: give it a Default`);
}

/** `path` is the logical id, a dot, and the name of the attribute, which may have dots too. */
function attribute(path: string, where: string, resolver: Resolver): Json {
  const logicalId = path.replace(/\..*/, '');
  const name = path.slice(logicalId.length + 1);
  const resource = resolver.template.resources.get(logicalId);
  if (resource === undefined) throw nothingCalled(logicalId, where);
  const value = attributeOf(resource, name, resolver);
  if (value !== undefined) return value;
  throw unsupported(
    `${where}: the emulator has no Fn::GetAtt ${path} (${resource.type})`,
    'emulator/template/references.ts',
  );
}

function nothingCalled(name: string, where: string): EmulatorError {
  return new EmulatorError(
    `${where}: the template has nothing called ${name}: add it, or refer to something else`,
  );
}

function substitute(text: string, variables: JsonObject, where: string, resolver: Resolver): string {
  return text.replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (variables[name] !== undefined) return String(resolve(variables[name], where, resolver));
    return String(name.includes('.') ? attribute(name, where, resolver) : reference(name, where, resolver));
  });
}
