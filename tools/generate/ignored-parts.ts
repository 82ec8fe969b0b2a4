import { below, ContractError, type JsonObject, resolve, valueAt, write } from './contract.ts';
import { isRule } from './schema.ts';

const SECURITY = '[{"accessToken":[]}]';

/** @throws ContractError if openapi.json has a rule, outside the schemas of bodies, that the service would ignore */
export function checkIgnoredParts(contract: JsonObject): void {
  const reject = (isIgnored: boolean, pointer: string, problem: string) => {
    if (isIgnored) throw new ContractError(pointer, problem);
  };
  const at = (...steps: string[]) => valueAt(contract, below('', ...steps));
  const isOneAuthorizer = write(at('security') ?? null) === SECURITY;
  reject(!isOneAuthorizer, '/security', `every operation has the same authorizer; set this to ${SECURITY}`);
  const { type, scheme } = Object(at('components', 'securitySchemes', 'accessToken'));
  const isBearer = type === 'http' && scheme === 'bearer';
  const advice = 'the authorizer checks bearer tokens; set type "http" and scheme "bearer"';
  reject(!isBearer, '/components/securitySchemes/accessToken', advice);
  for (const [path, item] of Object.entries(Object(at('paths')))) {
    for (const [method, operation] of Object.entries<JsonObject>(Object(item))) {
      const place = below('/paths', path, method);
      const isMethod = /^(get|put|post|delete|options|head|patch|trace)$/.test(method);
      reject(!isMethod, place, 'a path can contain only methods; move this into each operation');
      const { security } = operation;
      reject(
        security !== undefined,
        below(place, 'security'),
        'every operation has the same authorizer; remove this line',
      );
      for (const index of Object.keys(Object(operation.parameters))) {
        const pointer = below(place, 'parameters', index);
        const parameter = resolve(contract, pointer);
        const { $ref, in: where, required = false, content } = Object(valueAt(contract, parameter));
        reject($ref !== undefined, pointer, 'a $ref to another $ref is not supported; refer to its target');
        if (where === 'path') continue;
        const problem = `a required ${where} parameter is not checked; make it optional, and check it in lambda/`;
        reject(required !== false, pointer, problem);
        const schema = resolve(contract, below(parameter, 'schema'));
        const rules = valueAt(contract, schema);
        const { type = 'string', ...others } = Object(rules);
        const allowsAnyString = rules !== false && type === 'string' && !Object.keys(others).some(isRule);
        const advice = 'allow any string (type "string"), describe the rule, and check it in lambda/';
        reject(
          !allowsAnyString || content !== undefined,
          pointer,
          `the schema of a ${where} parameter is not checked; ${advice}`,
        );
      }
      const request = resolve(contract, below(place, 'requestBody'));
      const { required = true, content = {} } = Object(valueAt(contract, request));
      reject(!required, below(request, 'required'), 'a request without a body is rejected; set this to true');
      const other = Object.keys(content).find((type) => type !== 'application/json');
      reject(
        other !== undefined,
        below(request, 'content'),
        `${other} is not supported; use application/json`,
      );
    }
  }
}
