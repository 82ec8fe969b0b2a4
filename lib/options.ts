import type { Node } from 'constructs';
import { AUTHORIZER_OPTIONS } from './authorizer-options.ts';
import type { Rollout, StageName } from './config.ts';
import { OptionError } from './option-error.ts';

/** What `cdk deploy -c NAME=VALUE` may say. */
export interface Options {
  readonly stage?: StageName | undefined;
  readonly rollout?: Rollout | undefined;
  readonly alarmEmail?: string | undefined;
}

const NAMES: readonly string[] = [
  ...(['stage', 'rollout', 'alarmEmail'] satisfies (keyof Options)[]),
  ...AUTHORIZER_OPTIONS,
];

/** @throws where an option is none of ours or has a value that it can't have */
export function readOptions(node: Node): Options {
  refuseUnknown(node);
  return {
    stage: oneOf(node, 'stage', ['dev', 'prod']),
    rollout: oneOf(node, 'rollout', ['canary', 'all-at-once']),
    alarmEmail: email(node, 'alarmEmail'),
  };
}

/** Context keys of tools have a `:`, `/` or `-` in them; a plain word is meant for us. */
function refuseUnknown(node: Node): void {
  const unknown = Object.keys(node.getAllContext()).find((key) => /^\w+$/.test(key) && !NAMES.includes(key));
  if (unknown === undefined) return;
  throw new OptionError(
    `there is no option ${unknown}: the options are ${NAMES.join(', ')} (docs/operations.md)`,
  );
}

function oneOf<Value extends string>(node: Node, name: string, values: readonly Value[]): Value | undefined {
  const given: unknown = node.tryGetContext(name);
  const value = values.find((candidate) => candidate === given);
  if (given === undefined || value !== undefined) return value;
  throw new OptionError(
    `${name} must be ${values.join(' or ')}, not ${JSON.stringify(given)}: -c ${name}=${values[0]}`,
  );
}

function email(node: Node, name: string): string | undefined {
  const given: unknown = node.tryGetContext(name);
  if (given === undefined) return undefined;
  if (typeof given === 'string' && /^[^\s@]+@[^\s@]+$/.test(given)) return given;
  throw new OptionError(
    `${name} must be an e-mail address, not ${JSON.stringify(given)}: -c ${name}=ops@example.com`,
  );
}
