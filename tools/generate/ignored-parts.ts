import { below, ContractError, type JsonObject, resolve, valueAt, write } from './contract.ts';

const SECURITY = '[{"accessToken":[]}]';
const OR_IMPLEMENT_IT =
  'or implement it in lib/api/plants-api.ts, and allow it in tools/generate/ignored-parts.ts';

/** @throws ContractError if openapi.json has a rule, outside the schemas of bodies, that the service would ignore */
export function checkIgnoredParts(contract: JsonObject): void {
  const { openapi = null, jsonSchemaDialect: dialect = '2020-12' } = contract;
  const version = `must be 3.1, whose schemas are JSON Schema 2020-12, got ${write(openapi)}; convert the document`;
  reject(/^"3\.0/.test(write(openapi)), '/openapi', version);
  const isOther = !/2020-12|\/oas\/3\.1\//.test(write(dialect));
  reject(isOther, '/jsonSchemaDialect', 'only JSON Schema 2020-12 is supported; remove this line');
  checkSecurity(contract, '/security', `set this to ${SECURITY}`);
  for (const name of keysAt(contract, '/components/securitySchemes')) {
    const pointer = below('/components/securitySchemes', name, 'type');
    const problem = `an API key is not checked; replace this scheme with type "http" and scheme "bearer", ${OR_IMPLEMENT_IT}`;
    reject(valueAt(contract, pointer) === 'apiKey', pointer, problem);
  }
  for (const path of keysAt(contract, '/paths')) {
    const place = below('/paths', path);
    for (const method of keysAt(contract, place)) {
      const isMethod = /^(get|put|post|delete|options|head|patch|trace)$/.test(method);
      reject(
        !isMethod,
        below(place, method),
        'a path can contain only methods; move this into each operation',
      );
      const security = below(place, method, 'security');
      if (valueAt(contract, security) !== undefined) checkSecurity(contract, security, 'remove this line');
      checkParameters(contract, below(place, method));
      checkBody(contract, resolve(contract, below(place, method, 'requestBody')));
    }
  }
}

function checkSecurity(contract: JsonObject, pointer: string, advice: string): void {
  const problem = `every operation has the same authorizer, which requires an access token; ${advice}, ${OR_IMPLEMENT_IT}`;
  reject(write(valueAt(contract, pointer) ?? null) !== SECURITY, pointer, problem);
}

function checkParameters(contract: JsonObject, place: string): void {
  for (const index of keysAt(contract, below(place, 'parameters'))) {
    const pointer = below(place, 'parameters', index);
    const { in: where, required } = Object(valueAt(contract, resolve(contract, pointer)));
    const problem = `a required ${where} parameter is not checked; make it optional, and check it in lambda/`;
    reject(required === true && where !== 'path', pointer, problem);
  }
}

function checkBody(contract: JsonObject, request: string): void {
  const isOptional = valueAt(contract, below(request, 'required')) === false;
  reject(isOptional, below(request, 'required'), 'a request without a body is rejected; set this to true');
  for (const type of keysAt(contract, below(request, 'content'))) {
    const content = below(request, 'content', type);
    reject(
      type !== 'application/json',
      content,
      'only application/json is supported; remove this media type',
    );
    const example = below(content, 'example');
    reject(valueAt(contract, example) !== undefined, example, 'is not used; move it to "examples"');
    for (const name of keysAt(contract, below(content, 'examples'))) {
      const pointer = below(content, 'examples', name);
      const isEmpty = valueAt(contract, below(pointer, 'value')) === undefined;
      reject(isEmpty, pointer, 'has no "value"; add the value here instead of a reference');
    }
  }
}

function keysAt(contract: JsonObject, pointer: string): string[] {
  return Object.keys(Object(valueAt(contract, pointer)));
}

function reject(isIgnored: boolean, pointer: string, problem: string): void {
  if (isIgnored) throw new ContractError(pointer, problem);
}
