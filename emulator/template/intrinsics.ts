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
import { Properties } from './properties.ts';
import { attributeOf, referenceOf } from './references.ts';
import type { Resource, Template } from './template.ts';

const FILE = 'emulator/template/intrinsics.ts';

/** The account and region of the emulated deployment. */
export interface Pseudo {
  readonly region: string;
  readonly account: string;
  readonly stackName: string;
}

/** Resolves the template's intrinsic functions, each value only when it is needed. */
export interface Resolver {
  readonly template: Template;
  readonly pseudo: Pseudo;
  /** `path` names the value in errors; undefined is `AWS::NoValue`. @throws EmulatorError */
  resolve(value: Json | undefined, path: string): Json | undefined;
  /** One property of a resource, fully resolved. */
  property(resource: Resource, name: string): Json | undefined;
  /** The properties of a resource, each resolved when it is read. */
  properties(resource: Resource): Properties;
}

type Intrinsic = (argument: Json, path: string, resolver: Resolver) => Json | undefined;

export function createResolver(template: Template, pseudo: Pseudo): Resolver {
  const resolver: Resolver = {
    template,
    pseudo,
    resolve: (value, path) => resolve(value, path, resolver),
    property: ({ logicalId, properties }, name) =>
      resolve(properties[name], `${logicalId}.${name}`, resolver),
    properties: (resource) => new Properties(resource.logicalId, (name) => resolver.property(resource, name)),
  };
  return resolver;
}

/** Whether the named condition of the template is true. @throws EmulatorError if there is no such condition */
export function conditionHolds(name: string, resolver: Resolver): boolean {
  const condition = resolver.template.conditions[name];
  if (condition === undefined)
    throw new EmulatorError(`The template has no condition ${name}: add it to Conditions, or name another`);
  return evaluate(condition, `Conditions.${name}`, resolver);
}

/** The template's Outputs by name, with `localUrl` in place of the deployed API's URL. */
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

function evaluate(expression: Json | undefined, path: string, resolver: Resolver): boolean {
  const condition = objectOf(expression, path);
  const [operator] = Object.keys(condition);
  const [argument] = Object.values(condition);
  const operands = () => listOf(argument, path);
  switch (operator) {
    case 'Condition':
      return conditionHolds(String(argument), resolver);
    case 'Fn::Equals': {
      const [left, right] = operands().map((operand) => resolver.resolve(operand, path));
      return String(left) === String(right);
    }
    case 'Fn::Not':
      return !evaluate(operands()[0], path, resolver);
    case 'Fn::And':
      return operands().every((operand) => evaluate(operand, path, resolver));
    case 'Fn::Or':
      return operands().some((operand) => evaluate(operand, path, resolver));
    default:
      throw unsupported(`${path}: the condition ${JSON.stringify(condition)}`, FILE);
  }
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
  'Fn::GetAtt': (argument, path, resolver) =>
    attribute(typeof argument === 'string' ? argument : strings(argument, path).join('.'), path, resolver),
  'Fn::Join': (argument, path, resolver) => {
    const [separator, parts] = listOf(argument, path);
    return strings(resolve(parts, path, resolver), path).join(required(textOf(separator, path), path));
  },
  'Fn::Sub': (argument, path, resolver) => {
    const [text, variables] = isArray(argument) ? argument : [argument];
    return substitute(required(textOf(text, path), path), objectOf(variables, path), path, resolver);
  },
  'Fn::Select': (argument, path, resolver) => {
    const [index, array] = listOf(argument, path);
    const entry = listOf(resolve(array, path, resolver), path)[Number(resolve(index, path, resolver))];
    if (entry === undefined)
      throw new EmulatorError(
        `${path}: Fn::Select finds no entry ${String(index)}: choose one that its array has`,
      );
    return entry;
  },
  'Fn::Split': (argument, path, resolver) => {
    const [separator, text] = listOf(argument, path);
    return String(resolve(text, path, resolver)).split(String(separator));
  },
  'Fn::If': (argument, path, resolver) => {
    const [condition, whenTrue, whenFalse] = listOf(argument, path);
    return resolve(conditionHolds(String(condition), resolver) ? whenTrue : whenFalse, path, resolver);
  },
  'Fn::FindInMap': (argument, path, resolver) => {
    const keys = strings(resolve(argument, path, resolver), path);
    const found = keys.reduce<Json | undefined>(
      (level, key) => (isObject(level) ? level[key] : undefined),
      resolver.template.mappings,
    );
    if (found === undefined)
      throw new EmulatorError(
        `${path}: Fn::FindInMap finds no ${keys.join('.')}: add it to Mappings, or use other keys`,
      );
    return found;
  },
};

function strings(value: Json | undefined, path: string): string[] {
  return listOf(value, path).map(String);
}

function pseudoParameters({ region, account, stackName }: Pseudo): Readonly<Record<string, Json>> {
  return {
    'AWS::Region': region,
    'AWS::AccountId': account,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::StackName': stackName,
    'AWS::StackId': `arn:aws:cloudformation:${region}:${account}:stack/${stackName}/local`,
    'AWS::NotificationARNs': [],
  };
}

function reference(name: string, path: string, resolver: Resolver): Json | undefined {
  if (name === 'AWS::NoValue') return undefined;
  const resource = resolver.template.resources.get(name);
  if (resource !== undefined) return referenceOf(resource, resolver);
  const pseudo = pseudoParameters(resolver.pseudo)[name];
  if (pseudo !== undefined) return pseudo;
  if (name.startsWith('AWS::')) throw unsupported(`${path}: ${name}`, FILE);
  const parameter = resolver.template.parameters[name];
  if (!isObject(parameter)) throw undefinedName(name, path);
  if (parameter.Default !== undefined) return parameter.Default;
  throw new EmulatorError(`${path}: the parameter ${name} has no value in the emulator: give it a Default`);
}

/** `attributePath` is the logical id, a dot, and the name of the attribute, which may have dots too. */
function attribute(attributePath: string, path: string, resolver: Resolver): Json {
  const logicalId = attributePath.replace(/\..*/, '');
  const name = attributePath.slice(logicalId.length + 1);
  const resource = resolver.template.resources.get(logicalId);
  if (resource === undefined) throw undefinedName(logicalId, path);
  const value = attributeOf(resource, name, resolver);
  if (value !== undefined) return value;
  throw unsupported(
    `${path}: Fn::GetAtt ${attributePath} (${resource.type})`,
    'emulator/template/references.ts',
  );
}

function undefinedName(name: string, path: string): EmulatorError {
  return new EmulatorError(`${path}: the template does not define ${name}: add it, or refer to another name`);
}

function substitute(text: string, variables: JsonObject, path: string, resolver: Resolver): string {
  return text.replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (variables[name] !== undefined) return String(resolve(variables[name], path, resolver));
    return String(name.includes('.') ? attribute(name, path, resolver) : reference(name, path, resolver));
  });
}
