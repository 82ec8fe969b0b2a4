interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: unknown }>>>>;
}

/** Returns a curl command for each operation in the text of openapi.json, with the first example of its body. */
export function exampleRequests(openapi: string): string {
  const contract: Contract = JSON.parse(openapi);
  const requests = Object.entries(contract.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { requestBody }]) => {
      const send =
        method === (requestBody === undefined ? 'get' : 'post') ? '' : `-X ${method.toUpperCase()} `;
      const url = `$BASE_URL${path.replaceAll(/\{.*?\}/g, '1')}`;
      const request = `  curl -i ${send}${url} -H "Authorization: Bearer $ACCESS_TOKEN"`;
      if (requestBody === undefined) return request;
      const body = JSON.stringify(exampleOf(contract, requestBody)).replaceAll("'", `'\\''`);
      return `${request} \\\n    -H 'Content-Type: application/json' -d '${body}'`;
    }),
  );
  return requests.map((request) => `\n${request}\n`).join('');
}

/** Returns the first example of a JSON body, or an empty object if there is none. */
function exampleOf(contract: Contract, requestBody: unknown): unknown {
  const media = fieldsAt(contract, requestBody, 'content', 'application/json');
  const [first] = Object.values(fieldsAt(contract, media, 'examples'));
  return fieldsAt(contract, first).value ?? media.example ?? {};
}

/** Follows keys and `$ref`s. Returns the fields of the object there; none if there is no object. */
function fieldsAt(contract: object, value: unknown, ...keys: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return {};
  const { $ref, ...fields }: Record<string, unknown> = { ...value };
  if (typeof $ref === 'string') return fieldsAt(contract, contract, ...$ref.split('/').slice(1), ...keys);
  const [key, ...others] = keys;
  return key === undefined ? fields : fieldsAt(contract, fields[key], ...others);
}
