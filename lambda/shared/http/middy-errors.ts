import { MAX_MESSAGE_CHARACTERS, OperationError, operationErrors } from '../errors.ts';

/** Returns the operation's error for an error that a Middy package has thrown, or undefined for any other error. */
export function fromMiddyError(error: unknown): OperationError | undefined {
  if (isThrownBy(error, '@middy/validator') && Array.isArray(error.cause.data)) {
    return new OperationError(operationErrors.invalidBody, {
      detail: describeViolations(error.cause.data),
    });
  }
  if (isThrownBy(error, '@middy/http-json-body-parser')) {
    const { data } = error.cause;
    return error.message === 'Forbidden key in JSON body'
      ? new OperationError(operationErrors.invalidBody, {
          detail: `the key ${data} is not allowed`,
        })
      : new OperationError(operationErrors.notJson, { detail: syntaxMessage(error.cause) });
  }
  return undefined;
}

/** Every Middy package puts its own name into the cause of its errors. */
function isThrownBy(
  error: unknown,
  name: string,
): error is Error & { cause: { data: unknown; message?: unknown } } {
  if (!Error.isError(error) || typeof error.cause !== 'object' || error.cause === null)
    return false;
  return 'package' in error.cause && error.cause.package === name && 'data' in error.cause;
}

/** A violated rule. If the rule is about a property of the value at `instancePath`, `at` is the property's name. */
interface Violation {
  readonly instancePath: string;
  readonly params: { readonly at?: string };
  readonly message: string;
}

/**
 * Lists every violation with its field and rule, such as `id is required; address.city must be string`. The texts of the
 * rules are Ajv's, or in tools/generate/validator.ts; that of an int64 is in restore-int64s.ts.
 */
function describeViolations(violations: readonly Violation[]): string {
  const messages = new Set(violations.map(violationMessage));
  return [...messages].join('; ').slice(0, MAX_MESSAGE_CHARACTERS);
}

function violationMessage({ instancePath, params: { at }, message }: Violation): string {
  // The path starts with an empty part and `body`.
  const [, , ...path] = instancePath.split('/');
  const steps = path.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (at !== undefined) steps.push(at);
  return `${steps.join('.') || 'the body'} ${message}`;
}

/** What JSON.parse expected, and at which line and column; less if its message quotes the body. */
function syntaxMessage({ message }: { readonly message?: unknown }): string {
  const text = String(message);
  const [, expectation, place] = /^(.*) in JSON at position \d+ \((.*)\)$/.exec(text) ?? [];
  if (place !== undefined) return `the body is not JSON: ${expectation} at ${place}`;
  return text.startsWith('Unexpected token')
    ? 'the body is not JSON: Unexpected token'
    : operationErrors.notJson.message;
}
