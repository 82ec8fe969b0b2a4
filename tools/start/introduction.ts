import { styleText } from 'node:util';
import type { Emulator, RunningVersion } from 'stack-emulator';
import { isLoopback } from 'stack-emulator';
import { type ExampleRequest, exampleRequests } from '../contract/example-requests.ts';

/** The client that the printed token is issued to. */
export const CLIENT = 'npm start';

/** Returns what `npm start` prints when it is ready. */
export function introduction(
  {
    url,
    dynamodbEndpoint,
    leftOut,
  }: Pick<Emulator & RunningVersion, 'url' | 'dynamodbEndpoint' | 'leftOut'>,
  token: string | undefined,
  milliseconds: number,
): string {
  const issued = `below, for the client [${CLIENT}], valid for one day
             (to issue another: npm run token -- issue NAME --local)`;
  const lines = [
    ...(isLoopback(new URL(url).host) ? [`Try it at  ${url}/docs`] : []),
    `DynamoDB   ${dynamodbEndpoint}`,
    `Token      ${token === undefined ? 'from your OpenID Connect provider' : issued}`,
    ...[...leftOut].map(([id, type]) => `Left out   ${id} (${type}): no request depends on it`),
  ];
  return `
${heading(`Plant Store is ready in ${(milliseconds / 1000).toFixed(1)} s`)}. Press Ctrl-C to stop it.
It reloads lambda/, lib/ and openapi.json when you save a file.

  ${lines.join('\n  ')}

${heading('Set these variables for the examples in docs/api.md:')}

  export BASE_URL=${url}
  export ACCESS_TOKEN=${token ?? 'TOKEN'}

${heading('Then send an example request:')}
${exampleRequests().map(curl).join('')}`;
}

export function curl({ method, path, body }: Omit<ExampleRequest, 'template' | 'status'>): string {
  const request = `\n  curl -iw '\\n' -X ${method} $BASE_URL${path} -H "Authorization: Bearer $ACCESS_TOKEN"`;
  if (body === undefined) return `${request}\n`;
  const json = JSON.stringify(body).replaceAll("'", `'\\''`);
  return `${request} \\\n    -H 'Content-Type: application/json' -d '${json}'\n`;
}

function heading(text: string): string {
  return styleText(['bold', 'green'], text, { stream: process.stderr });
}
