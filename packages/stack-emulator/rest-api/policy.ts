import { isArray, type Json, mismatch, objectAt } from '../json.ts';

export type Policy = (methodArn: string) => boolean;

/**
 * Parses a policy whose only statement allows or denies `execute-api:Invoke` for one resource, which may contain `*`. A
 * policy without a statement allows nothing.
 * @throws UserError if there is no policy, or a policy with anything else
 */
export function parsePolicy(document: Json | undefined): Policy {
  const { Statement } = objectAt(document, 'the policyDocument');
  const invalid = mismatch(
    'the Statement in the policyDocument',
    'at most one statement, which has only the Effect Allow or Deny, the Action execute-api:Invoke and one Resource without "?"',
    Statement,
  );
  if (!isArray(Statement) || Statement.length > 1) throw invalid;
  const [statement] = Statement;
  if (statement === undefined) return () => false;
  const { Effect, Action, Resource, ...rest } = objectAt(
    statement,
    'the statement in the policyDocument',
  );
  if (Effect !== 'Allow' && Effect !== 'Deny') throw invalid;
  if (Action !== 'execute-api:Invoke' || Object.keys(rest).length > 0) throw invalid;
  if (typeof Resource !== 'string' || Resource.includes('?')) throw invalid;
  const pattern = Resource.split('*').map(RegExp.escape).join('.*');
  const resource = new RegExp(`^${pattern}$`);
  return (methodArn) => Effect === 'Allow' && resource.test(methodArn);
}
