import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Emulator, RunningVersion } from '@plant-store/emulator';
import { isLoopback } from '../docs-page/docs-page.ts';
import { colored } from './colors.ts';

const OPEN_DYNAMODB =
  'warning: anyone on your network can use DynamoDB without credentials; unset HOST or, for SAM, set HOST=172.17.0.1';

/** The name of the client that the printed token is issued to. */
export const CLIENT = 'npm start';

/** What `npm start -- --help` prints. */
export const HELP = `Runs Plant Store on this machine until you press Ctrl-C. Reloads lambda/, lib/ and openapi.json when you save a file.

  npm start
  npm start -- --inspect[=PORT]   lets a debugger attach, on port 9229 by default

Environment variables:
  PORT               the port of the API (default 3000; 0 picks a free port)
  DYNAMODB_PORT      the port of the embedded DynamoDB (default 8000; 0 picks a free port)
  DYNAMODB_ENDPOINT  the URL of a DynamoDB to use instead of the embedded one
  DATA_DIR           the data folder of the embedded DynamoDB (default .plant-store)
  LOG                the log format: json for JSON lines with metrics; readable text by default
  HOST               the address to listen on (default 127.0.0.1)`;

/**
 * Returns what `npm start` prints when it is ready.
 * @param token undefined if an OpenID Connect provider issues the tokens
 * @param milliseconds how long startup took
 */
export function introduction(
  { url, dynamodbEndpoint, leftOut }: Pick<Emulator & RunningVersion, 'url' | 'dynamodbEndpoint' | 'leftOut'>,
  token: string | undefined,
  milliseconds: number,
): string {
  return `
${heading(`Plant Store is ready in ${(milliseconds / 1000).toFixed(1)} s`)}. Press Ctrl-C to stop it.
It reloads lambda/, lib/ and openapi.json when you save a file.

${isLoopback(new URL(url).host) ? `  Try it at  ${url}/docs\n` : ''}  DynamoDB   ${dynamodbEndpoint}${isOnEveryAddress(dynamodbEndpoint) ? `\n             (${OPEN_DYNAMODB})` : ''}
  Token      ${token === undefined ? 'from your OpenID Connect provider' : `below, for the client [${CLIENT}], valid for one day\n             (to issue another: npm run token -- issue NAME --local)`}
${leftOutLines(leftOut)}
${heading(`Set these variables for the examples in docs/api.md:`)}

  export BASE_URL=${url}
  export ACCESS_TOKEN=${token ?? 'TOKEN'}

${exampleRequests()}`;
}

interface Contract {
  readonly paths: Readonly<Record<string, { readonly post?: Post }>>;
}

interface Post {
  readonly summary: string;
  readonly requestBody: {
    readonly content: {
      readonly 'application/json': { readonly examples: Record<string, { value: unknown }> };
    };
  };
}

/** A curl command for each POST in the contract, with its first example. */
function exampleRequests(): string {
  const contract = readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8');
  const { paths }: Contract = JSON.parse(contract);
  const requests = Object.entries(paths).flatMap(([path, { post }]) => {
    if (post === undefined) return [];
    const [example] = Object.values(post.requestBody.content['application/json'].examples);
    const body = JSON.stringify(example?.value).replaceAll("'", `'\\''`);
    return `${heading(`Then ${post.summary.charAt(0).toLowerCase()}${post.summary.slice(1)}:`)}

  curl -i $BASE_URL${path} -H "Authorization: Bearer $ACCESS_TOKEN" \\
    -H 'Content-Type: application/json' -d '${body}'
`;
  });
  return requests.join('\n');
}

/** Lists the resources that the emulator leaves out, one per line. */
export function leftOutLines(leftOut: RunningVersion['leftOut']): string {
  const lineOf = ([logicalId, type]: [string, string]) =>
    `  Left out   ${logicalId} (${type}): no request depends on it\n`;
  return [...leftOut].map(lineOf).join('');
}

function isOnEveryAddress(endpoint: string): boolean {
  return ['0.0.0.0', '[::]', '[::ffff:0:0]'].includes(new URL(endpoint).hostname);
}

function heading(text: string): string {
  return colored(['bold', 'green'], text);
}
