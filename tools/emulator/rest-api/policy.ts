import { isArray, isObject, type Json, mismatch } from '../json.ts';

interface Statement {
  readonly allows: boolean;
  readonly actions: readonly RegExp[];
  readonly resources: readonly RegExp[];
}

export type Policy = readonly Statement[];

/** @throws TypeError if the document is not a policy, or has elements that the emulator does not support */
export function parsePolicy(document: Json | undefined): Policy {
  const statement = isObject(document) ? document.Statement : undefined;
  if (statement === undefined) throw new TypeError('the policyDocument has no Statement');
  return (isArray(statement) ? statement : [statement]).map(parseStatement);
}

/** Returns whether a policy allows the method: a statement must match, and no matching statement may be a Deny. */
export function allows(policy: Policy, methodArn: string): boolean {
  const matching = policy.filter(
    ({ actions, resources }) => matches(actions, 'execute-api:Invoke') && matches(resources, methodArn),
  );
  return matching.length > 0 && matching.every((statement) => statement.allows);
}

function parseStatement(statement: Json): Statement {
  if (!isObject(statement)) throw mismatch('a Statement in the policyDocument', 'an object', statement);
  const { Effect, Action, Resource, Sid: _sid, ...rest } = statement;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new TypeError(`the emulator does not support ${unknown} in a policy`);
  if (Effect !== 'Allow' && Effect !== 'Deny')
    throw mismatch('the Effect in a Statement', 'Allow or Deny', Effect);
  // IAM ignores case in actions, but not in resources.
  return { allows: Effect === 'Allow', actions: patterns(Action, 'i'), resources: patterns(Resource, '') };
}

function patterns(value: Json | undefined, flags: string): readonly RegExp[] {
  return (isArray(value) ? value : [value]).map((pattern) => {
    if (typeof pattern !== 'string')
      throw new TypeError('the Action and the Resource in a Statement must be strings or arrays of strings');
    const literal = pattern.replace(/[\\^$.+()[\]{}|]/g, '\\$&');
    return new RegExp(`^${literal.replaceAll('*', '.*').replaceAll('?', '.')}$`, `s${flags}`);
  });
}

function matches(candidates: readonly RegExp[], text: string): boolean {
  return candidates.some((candidate) => candidate.test(text));
}
