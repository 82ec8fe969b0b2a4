import { below, ContractError, type JsonObject, resolve, valueAt } from './contract.ts';
import { type Body, isRule, readBody } from './schema.ts';

const METHOD = /^(get|put|post|delete|options|head|patch|trace)$/;
const SECURITY = '[{"accessToken":[]}]';
const ACCESS_TOKEN = '/components/securitySchemes/accessToken';

/** An operation of openapi.json. */
export interface Operation {
  readonly operationId: string;
  /** The operationId in kebab case, which is the folder of the function in `lambda/`. */
  readonly functionName: string;
  /** In uppercase. */
  readonly method: string;
  readonly path: string;
  /** Undefined if the operation has no body. */
  readonly body: Body | undefined;
}

/**
 * Reads every operation.
 *
 * @throws ContractError if something in openapi.json is not supported, or is a rule that the service would ignore
 */
export function readOperations(contract: JsonObject): Operation[] {
  const hasAuthorizer = JSON.stringify(contract.security) === SECURITY;
  assert(hasAuthorizer, '/security', `every operation has the same authorizer; set this to ${SECURITY}`);
  const { type, scheme } = Object(valueAt(contract, ACCESS_TOKEN));
  const advice = 'the authorizer checks bearer tokens; set type "http" and scheme "bearer"';
  assert(type === 'http' && scheme === 'bearer', ACCESS_TOKEN, advice);
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(Object(contract.paths))) {
    for (const [method, operation] of Object.entries(Object(item))) {
      const place = below('/paths', path, method);
      const { operationId, security, parameters } = Object(operation);
      assert(METHOD.test(method), place, 'a path can contain only methods; move this into each operation');
      const problem = 'every operation has the same authorizer; remove this line';
      assert(security === undefined, below(place, 'security'), problem);
      for (const index of Object.keys(Object(parameters))) {
        checkParameter(contract, below(place, 'parameters', index));
      }
      const isName = typeof operationId === 'string' && /^\w+$/.test(operationId);
      assert(isName, place, 'must have an operationId of letters, digits and underscores');
      const functionName = operationId.replaceAll(/[A-Z]/g, (letter: string) => `-${letter.toLowerCase()}`);
      const identity = { operationId, functionName, method: method.toUpperCase(), path };
      const [request, requestBody] = resolve(contract, below(place, 'requestBody'));
      if (requestBody === undefined) {
        operations.push({ ...identity, body: undefined });
        continue;
      }
      const { required = true, content } = Object(requestBody);
      assert(required, below(request, 'required'), 'a request without a body is rejected; set this to true');
      const other = Object.keys(Object(content)).find((mediaType) => mediaType !== 'application/json');
      const isJson = other === undefined;
      assert(isJson, below(request, 'content'), `${other} is not supported; use application/json`);
      const schema = below(request, 'content', 'application/json', 'schema');
      operations.push({ ...identity, body: readBody(contract, schema) });
    }
  }
  return operations;
}

function checkParameter(contract: JsonObject, place: string): void {
  const [parameter, value] = resolve(contract, place);
  const { in: where, required = false, content } = Object(value);
  const { type, ...others } = Object(resolve(contract, below(parameter, 'schema'))[1]);
  const isAnyString = type === 'string' && !Object.keys(others).some(isRule) && content === undefined;
  const advice = 'make it optional, allow any string (type "string"), and check it in lambda/';
  const isSupported = where === 'path' || (required === false && isAnyString);
  assert(isSupported, place, `a parameter is not checked; ${advice}`);
}

function assert(isSupported: boolean, pointer: string, problem: string): void {
  if (!isSupported) throw new ContractError(pointer, problem);
}
