import type { ErrorObject } from 'ajv';

/**
 * Says what is wrong with a NewPlant: every fault, each naming the field and the rule, such as
 * `id is required; name must be a string`.
 */
export function describeViolations(violations: readonly ErrorObject[]): string {
  return violations.map(describe).join('; ');
}

function describe({ instancePath, keyword, params, message }: ErrorObject): string {
  const field = instancePath.slice('/body/'.length) || 'the body';
  switch (keyword) {
    case 'required':
      return `${params.missingProperty} is required`;
    case 'type':
      return `${field} must be ${params.type === 'object' ? 'an object' : `a ${params.type}`}`;
    default:
      return `${field} ${message}`;
  }
}
