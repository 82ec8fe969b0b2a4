import { assertSupported, ContractError, type ContractNode } from '../contract/contract.ts';
import { isRule, readSchema, type Schema } from './read-schema.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const SECURITY = '[{"accessToken":[]}]';

export interface ContractOperation {
  readonly operationId: string;
  /** The operationId in kebab case, which is the folder of the function in `lambda/`. */
  readonly functionName: string;
  /** In uppercase. */
  readonly method: string;
  readonly path: string;
  readonly body: Schema | undefined;
}

/** @throws ContractError if something in openapi.json is not supported, or is a rule that the service would ignore */
export function readOperations(contract: ContractNode): ContractOperation[] {
  const security = contract.child('security');
  const hasAuthorizer = JSON.stringify(security.value) === SECURITY;
  assertSupported(
    hasAuthorizer,
    security,
    `every operation has the same authorizer; set this to ${SECURITY}`,
  );
  const scheme = contract.child('components', 'securitySchemes', 'accessToken');
  const isBearer =
    scheme.child('type').value === 'http' && scheme.child('scheme').value === 'bearer';
  assertSupported(
    isBearer,
    scheme,
    'the authorizer checks bearer tokens; set type "http" and scheme "bearer"',
  );
  return [...contract.child('paths').children()].flatMap(([path, item]) =>
    [...item.children()].map(([method, operation]) => readOperation(path, method, operation)),
  );
}

function readOperation(path: string, method: string, operation: ContractNode): ContractOperation {
  assertSupported(
    METHODS.includes(method),
    operation,
    'a path can contain only methods; move this into each operation',
  );
  const security = operation.child('security');
  assertSupported(
    security.value === undefined,
    security,
    'every operation has the same authorizer; remove this line',
  );
  for (const parameter of operation.child('parameters').children().values())
    checkParameter(parameter);
  const { value: operationId } = operation.child('operationId');
  if (typeof operationId !== 'string' || !/^\w+$/.test(operationId)) {
    throw new ContractError(
      operation.pointer,
      'must have an operationId of letters, digits and underscores',
    );
  }
  return {
    operationId,
    functionName: operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    method: method.toUpperCase(),
    path,
    body: readRequestBody(operation.child('requestBody').resolved()),
  };
}

function readRequestBody(request: ContractNode): Schema | undefined {
  if (request.value === undefined) return undefined;
  const required = request.child('required');
  const isRequired = required.value === undefined || required.value === true;
  assertSupported(isRequired, required, 'a request without a body is rejected; set this to true');
  const content = request.child('content');
  const other = [...content.children().keys()].find(
    (mediaType) => mediaType !== 'application/json',
  );
  assertSupported(other === undefined, content, `${other} is not supported; use application/json`);
  return readSchema(content.child('application/json', 'schema'));
}

function checkParameter(node: ContractNode): void {
  const parameter = node.resolved();
  const isInPath = parameter.child('in').value === 'path';
  const isOptional = !parameter.child('required').value;
  const { type, ...others } = Object.fromEntries(parameter.child('schema').resolved().children());
  const isAnyString = type?.value === 'string' && !Object.keys(others).some(isRule);
  assertSupported(
    (isInPath || isOptional) && isAnyString,
    node,
    'a parameter is not checked; allow any string (type "string"), make it optional unless it is in the path, and check it in lambda/',
  );
}
