import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { HttpResponse } from './http.ts';

/** The interface. */
export const openapi = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'));
const ajv = new Ajv2020({
  strict: false,
  formats: {
    int32: { type: 'number', validate: (value: number) => value === (value | 0) },
    int64: true,
  },
});
ajv.addSchema(openapi, 'openapi.json');

/** @throws Error if openapi.json does not describe a response, whichever layer gave it */
export function checkAgainstContract({ status, headers, body }: HttpResponse): void {
  const { responses } = openapi.paths['/plants'].post;
  const { content, headers: documented = {} } = dereference(responses[status] ?? responses.default);
  const { schema, examples } = content['application/json'];
  const faults: string[] = [];

  if (headers['content-type'] !== 'application/json') faults.push('Content-Type');
  if (!ajv.validate({ $ref: `openapi.json${schema.$ref}` }, body)) faults.push(ajv.errorsText());
  if (status === 200 && Object.keys(body).some((field) => !(field in dereference(schema).properties))) {
    faults.push('a field that a Plant does not have');
  }
  if (status !== 200 && !(String(body.error) in examples)) faults.push('an error code of another status');
  if ('WWW-Authenticate' in documented !== 'www-authenticate' in headers) faults.push('WWW-Authenticate');
  if ('retry-after' in headers && !('Retry-After' in documented)) faults.push('Retry-After');

  if (faults.length > 0) {
    throw new Error(`openapi.json has no such response (${faults}): ${status} ${JSON.stringify(body)}`);
  }
}

function dereference(value: { $ref?: string }) {
  const path = value.$ref?.split('/').slice(1);
  return path === undefined ? value : path.reduce((node, key) => node[key], openapi);
}
