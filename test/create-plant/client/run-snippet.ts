import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type CodeBlock, PROJECT } from '../../support/pages/code-blocks.ts';
import { type Outcome, outcomeOf } from '../../support/project/run-command.ts';
import { type LoopbackServer, listenOnLoopback } from '../../support/servers/loopback.ts';

const interpreters: Readonly<Record<string, readonly string[]>> = {
  sh: ['sh'],
  js: [process.execPath, '--input-type=module'],
  ts: [process.execPath, '--input-type=module-typescript'],
  python: ['python3', '-'],
};

export interface SnippetEnvironment {
  readonly BASE_URL: string;
  readonly ACCESS_TOKEN: string;
}

/**
 * Runs a snippet in the root of the repository, as a reader would, but `sleep` in a shell script returns at once, and
 * a TypeScript snippet imports the client from here instead of from a copy in another repository.
 */
export async function resultOf(
  { language, code }: CodeBlock,
  environment: SnippetEnvironment,
): Promise<Outcome> {
  const [command = '', ...args] = interpreters[language] ?? [];
  const child = spawn(command, args, { cwd: PROJECT, env: { ...process.env, ...environment } });
  const here = code.replace("from './plant-store/client/", "from './client/");
  child.stdin.end(language === 'sh' ? `sleep() { :; }\n${code}` : here);
  return outcomeOf(child);
}

/**
 * Runs a snippet and returns its trimmed stdout.
 *
 * @throws Error with the snippet's stderr if its exit status is not 0
 */
export async function runSnippet(
  snippet: CodeBlock,
  environment: SnippetEnvironment,
): Promise<string> {
  const { code, stdout, stderr } = await resultOf(snippet, environment);
  if (code !== 0) throw new Error(`${snippet.at} exited with ${code}:\n${stderr}`);
  return stdout.trim();
}

/**
 * A proxy in front of the service. It cuts off the response to the first attempt, responds with 1500 to the second, and
 * forwards the third. Its errors have their fields in another order than the service's, because none is promised.
 */
export async function startUnreliableFront(serviceUrl: string): Promise<LoopbackServer> {
  const attempts = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const attempt = (attempts.get(body.toString()) ?? 0) + 1;
    attempts.set(body.toString(), attempt);
    if (attempt === 1) cutOff(response);
    else if (attempt === 2) failWith1500(response);
    else await forward(serviceUrl, request, body, response);
  });
  return listenOnLoopback(server);
}

function cutOff(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
  response.write('{"name":"F', () => response.destroy());
}

function failWith1500(response: ServerResponse): void {
  response.writeHead(400, { 'Content-Type': 'application/json', 'Retry-After': '0' });
  response.end('{"message":"DynamoDB failed or timed out; try again","error":1500}');
}

async function forward(
  serviceUrl: string,
  { url = '', method = '', headers }: IncomingMessage,
  body: Buffer<ArrayBuffer>,
  response: ServerResponse,
): Promise<void> {
  const { authorization = '', 'content-type': type = '' } = headers;
  const reply = await fetch(`${serviceUrl}${url}`, {
    method,
    headers: { Authorization: authorization, 'Content-Type': type },
    body,
  });
  response.writeHead(reply.status, { 'Content-Type': 'application/json' });
  const { error, message, ...plant } = Object(await reply.json());
  response.end(JSON.stringify(reply.ok ? plant : { message, error }));
}
