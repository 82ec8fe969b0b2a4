import { styleText } from 'node:util';
import type { Emulator, RunningVersion } from '../emulator/index.ts';
import { commandLine } from '../tokens/arguments.ts';

const OPEN_DYNAMODB =
  'warning: it has no credentials, and everyone on your network can use it; for SAM, set HOST to 172.17.0.1';

/**
 * What `npm start` prints when it is ready.
 * @param token undefined if an OpenID Connect provider issues the tokens
 */
export function introduction(
  { url, dynamodbEndpoint, leftOut }: Emulator & RunningVersion,
  token: string | undefined,
): string {
  const another = commandLine('issue NAME', { local: true }, process.env);
  return `
${heading('Plant Store is ready')} (Ctrl-C stops it; what you save in lambda/, lib/ and openapi.json is reloaded).

  Base URL   ${url}
  Try it at  ${url}/docs
  DynamoDB   ${dynamodbEndpoint}${isOnEveryAddress(dynamodbEndpoint) ? `\n             (${OPEN_DYNAMODB})` : ''}
  Token      ${token === undefined ? 'from your OpenID Connect provider' : `${token}\n             (valid for a day; another: ${another})`}
${[...leftOut].map(([logicalId, why]) => `  Left out   ${logicalId}, ${why}\n`).join('')}
${heading('For the examples in docs/api.md:')}

  export BASE_URL=${url}
  export ACCESS_TOKEN=${token ?? 'TOKEN'}

${heading('Create a plant:')}

  curl -i ${url}/plants -H 'Authorization: Bearer ${token ?? 'TOKEN'}' -H 'Content-Type: application/json' -d '{"id":1,"name":"Ficus","tag":"indoor"}'
`;
}

function isOnEveryAddress(endpoint: string): boolean {
  return ['0.0.0.0', '[::]'].includes(new URL(endpoint).hostname);
}

/** Bold and green on a terminal, plain in a file or pipe. */
function heading(text: string): string {
  return styleText(['bold', 'green'], text, { stream: process.stderr });
}
