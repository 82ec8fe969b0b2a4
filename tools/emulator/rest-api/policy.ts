import { arrayAt, type Json, mismatch, objectAt } from '../json.ts';

/** Returns whether the policy allows the method with this ARN. */
export type Policy = (methodArn: string) => boolean;

/**
 * Reads a policy whose statements allow or deny `execute-api:Invoke`, each for one resource, which may contain `*`. A
 * statement must match for the policy to allow a method, and no matching statement may be a Deny.
 * @throws TypeError that names anything else in the policy
 */
export function parsePolicy(document: Json | undefined): Policy {
  const { Statement } = objectAt(document, 'the policyDocument');
  if (Statement === undefined) throw new TypeError('the policyDocument has no Statement');
  const statements = arrayAt(Statement, 'the Statement in the policyDocument').map(parseStatement);
  return (methodArn) => {
    const matching = statements.filter(({ resource }) => resource.test(methodArn));
    return matching.length > 0 && matching.every(({ allows }) => allows);
  };
}

function parseStatement(statement: Json) {
  const { Effect, Action, Resource, ...rest } = objectAt(statement, 'a Statement in the policyDocument');
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw unsupported(unknown);
  if (Effect !== 'Allow' && Effect !== 'Deny') {
    throw mismatch('the Effect in a Statement', 'Allow or Deny', Effect);
  }
  if (Action !== 'execute-api:Invoke') throw unsupported(`the Action ${JSON.stringify(Action)}`);
  if (typeof Resource !== 'string' || Resource.includes('?')) {
    throw unsupported(`the Resource ${JSON.stringify(Resource)}`);
  }
  const pattern = Resource.replace(/[\\^$.+()[\]{}|]/g, '\\$&').replaceAll('*', '.*');
  return { allows: Effect === 'Allow', resource: new RegExp(`^${pattern}$`, 's') };
}

function unsupported(what: string): TypeError {
  return new TypeError(`the emulator does not support ${what} in a policy`);
}
