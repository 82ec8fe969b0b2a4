import type { Json } from '../json.ts';
import type { Properties } from '../properties.ts';
import type { Resource } from './resource.ts';
import type { Template } from './template.ts';

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
  /** The properties of a resource, each resolved when it is read. */
  properties(resource: Resource): Properties;
}
