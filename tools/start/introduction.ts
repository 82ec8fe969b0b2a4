import type { Emulator, RunningVersion } from '@plant-store/emulator';
import { localCommandLine } from '../tokens/arguments.ts';
import { colored } from './colors.ts';

const OPEN_DYNAMODB =
  'warning: it has no credentials, and everyone on your network can use it; for SAM, set HOST to 172.17.0.1';

export interface ShownToken {
  readonly text: string;
  /** The name of the client that it identifies. */
  readonly client: string;
}

/** What `npm start -- --help` prints. */
export const HELP = `Runs Plant Store on this machine until Ctrl-C, and reloads what you save in lambda/, lib/ and openapi.json.

  npm start
  npm start -- --inspect[=PORT]   lets a debugger attach, by default on port 9229

Environment variables:
  PORT               the API's port; 3000 by default, 0 picks a free one
  DYNAMODB_PORT      the embedded DynamoDB's port; 8000 by default, 0 picks a free one
  DYNAMODB_ENDPOINT  a DynamoDB to use instead of the embedded one
  DATA_DIR           the folder of the embedded DynamoDB's files; .plant-store by default
  LOG                json logs JSON lines, with the metrics
  HOST               the address to listen on; 127.0.0.1 by default`;

/**
 * What `npm start` prints when it is ready.
 * @param token undefined if an OpenID Connect provider issues the tokens
 * @param milliseconds how long the start took
 */
export function introduction(
  { url, dynamodbEndpoint, leftOut }: Pick<Emulator & RunningVersion, 'url' | 'dynamodbEndpoint' | 'leftOut'>,
  token: ShownToken | undefined,
  milliseconds: number,
): string {
  const another = localCommandLine('issue NAME', process.env);
  return `
${heading(`Plant Store is ready in ${(milliseconds / 1000).toFixed(1)} s`)} (Ctrl-C stops it; what you save in lambda/, lib/ and openapi.json is reloaded).

  Try it at  ${url}/docs, where the requests and the tables are too
  DynamoDB   ${dynamodbEndpoint}${isOnEveryAddress(dynamodbEndpoint) ? `\n             (${OPEN_DYNAMODB})` : ''}
  Token      ${token === undefined ? 'from your OpenID Connect provider' : `below, for the client [${token.client}], valid for a day\n             (another: ${another})`}
${leftOutLines(leftOut)}
${heading(`For the examples in docs/api.md:`)}

  export BASE_URL=${url}
  export ACCESS_TOKEN=${token?.text ?? 'TOKEN'}

${heading('Then create a plant:')}

  curl -i $BASE_URL/plants -H "Authorization: Bearer $ACCESS_TOKEN" \\
    -H 'Content-Type: application/json' -d '{"id":1,"name":"Ficus","tag":"indoor"}'
`;
}

/** Names what the emulator leaves out, each in a line. */
export function leftOutLines(leftOut: RunningVersion['leftOut']): string {
  const lineOf = ([logicalId, type]: [string, string]) =>
    `  Left out   ${logicalId} (${type}): nothing that a request uses refers to it\n`;
  return [...leftOut].map(lineOf).join('');
}

function isOnEveryAddress(endpoint: string): boolean {
  return ['0.0.0.0', '[::]', '[::ffff:0:0]'].includes(new URL(endpoint).hostname);
}

function heading(text: string): string {
  return colored(['bold', 'green'], text);
}
