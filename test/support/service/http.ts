import { type Sent, send as sendTo } from 'stack-emulator/test/fixtures/http.ts';
import type { components } from '../../../lambda/generated/openapi.ts';
import { checkAgainstContract, exampleMethod, examplePath, type Received } from './contract.ts';

export interface HttpRequest extends Sent {
  readonly path?: string;
  /** The access token in the headers, unless `headers` is set. */
  readonly token?: string;
}

/** An Error, or another object: `checkAgainstContract` rejects anything that openapi.json does not describe. */
export type ResponseBody = Partial<components['schemas']['Error']> &
  Readonly<Record<string, unknown>>;

export interface HttpResponse extends Received {
  readonly body: ResponseBody;
}

/** Sends a request to the service, with headers exactly as they are spelled, and checks the response against openapi.json. */
export async function send(baseUrl: string, request: HttpRequest): Promise<HttpResponse> {
  const { path = examplePath, token, ...sent } = request;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await sendTo(baseUrl, path, { method: exampleMethod, headers, ...sent });
  checkAgainstContract(response, request);
  const { text } = response;
  return { ...response, body: text === '' ? {} : JSON.parse(text) };
}

/** Returns the value as JSON, with all digits of bigints. */
export function writeExactly(value: unknown): string {
  return JSON.stringify(value, (_key, each) =>
    typeof each === 'bigint' ? JSON.rawJSON(`${each}`) : each,
  );
}
