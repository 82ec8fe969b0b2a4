import { type OutgoingHttpHeaders, request } from 'node:http';
import type { components } from '../../../lambda/generated/openapi.ts';
import { checkAgainstContract, exampleMethod, examplePath, type Received } from './contract.ts';

export interface HttpRequest {
  readonly method?: string;
  readonly path?: string;
  /** The names and values are sent unchanged, including their case. */
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** An Error, or another object: `checkAgainstContract` rejects anything that openapi.json does not describe. */
export type ResponseBody = Partial<components['schemas']['Error']> &
  Readonly<Record<string, unknown>>;

export interface HttpResponse extends Received {
  readonly body: ResponseBody;
}

/** Sends a request to the service, and checks the response against openapi.json. */
export async function send(baseUrl: string, request: HttpRequest): Promise<HttpResponse> {
  const response = await exchange(baseUrl, request);
  checkAgainstContract(response, request);
  return response;
}

function exchange(
  baseUrl: string,
  { method = exampleMethod, path = examplePath, headers = {}, body }: HttpRequest,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const sending = request(`${baseUrl}${path}`, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, text, body: text === '' ? {} : JSON.parse(text) });
      });
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

/** Returns the value as JSON, with all digits of bigints. */
export function writeExactly(value: unknown): string {
  return JSON.stringify(value, (_key, each) =>
    typeof each === 'bigint' ? JSON.rawJSON(`${each}`) : each,
  );
}
