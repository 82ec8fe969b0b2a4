import { type Sent, send as sendTo } from 'stack-emulator/test/fixtures/http.ts';
import type { components } from '../../../lambda/generated/openapi.ts';
import { checkAgainstContract, exampleMethod, examplePath, type Received } from './contract.ts';

export interface HttpRequest extends Sent {
  readonly path?: string;
}

/** An Error, or another object: `checkAgainstContract` rejects anything that openapi.json does not describe. */
export type ResponseBody = Partial<components['schemas']['Error']> &
  Readonly<Record<string, unknown>>;

export interface HttpResponse extends Received {
  readonly body: ResponseBody;
}

/** Sends a request to the service, with headers exactly as they are spelled, and checks the response against openapi.json. */
export async function send(baseUrl: string, request: HttpRequest): Promise<HttpResponse> {
  const { path = examplePath, ...sent } = request;
  const response = await sendTo(baseUrl, path, { method: exampleMethod, ...sent });
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
