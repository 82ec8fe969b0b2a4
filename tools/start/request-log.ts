import { type RequestObserver, type RespondedRequest, UserError } from '@plant-store/emulator';
import { colored } from './colors.ts';

/** Receives what the emulator logs. */
export interface TerminalLog extends RequestObserver {
  /** @param traceId the trace id of the request that the line belongs to, if any */
  line(text: string, traceId?: string): void;
}

/** The errors whose messages depend on the request, because they name what is invalid in the body. */
const INVALID_BODY = [1001, 1002];

/** Lists every possible reason, because the authorizer's response does not distinguish them. */
const REJECTED = 'The authorizer rejected the token: it is unknown, expired or not for this service.';

type Write = (line: string) => void;

/**
 * Returns the log that the variable `LOG` selects.
 * @throws UserError if the variable is neither `json` nor empty
 */
export function logFor(format: string | undefined, write: Write): TerminalLog {
  if (!format) return logForPeople(write);
  if (format === 'json') return logAsJson(write);
  throw new UserError(`LOG must be json or unset, got "${format}"`);
}

/**
 * Logs one line for each request, such as `POST /plants 400 1004 6 ms [ci]`, and below it what the request's functions
 * logged, without metrics. Writes these lines only when the request ends, so that the lines of concurrent requests do
 * not mix. Requests for the page at `/docs` and its files are not logged.
 */
function logForPeople(write: Write): TerminalLog {
  const waiting = new Map<string, string[]>();
  return {
    received: (traceId) => waiting.set(traceId, []),
    line(text, traceId) {
      const shown = readable(text);
      if (shown === undefined) return;
      const entries = waiting.get(traceId ?? '');
      if (entries === undefined) write(shown);
      else entries.push(shown);
    },
    responded(request) {
      const entries = waiting.get(request.traceId ?? '') ?? [];
      waiting.delete(request.traceId ?? '');
      if (isForPage(request)) return;
      if (request.status === 401 && entries.length === 0) entries.push('The token is missing or malformed.');
      write([requestLine(request), ...entries].join('\n').replaceAll('\n', '\n  '));
    },
  };
}

/** Logs one JSON object per line, including metrics. */
function logAsJson(write: Write): TerminalLog {
  return {
    received: () => {},
    line: (text, traceId) =>
      write(objectIn(text) === undefined ? JSON.stringify({ message: text, traceId }) : text),
    responded(request) {
      if (isForPage(request)) return;
      const { method, path, status, body, milliseconds, traceId, requestId, authorizer } = request;
      const [error, client] = [errorIn(body)?.code, clientOf(authorizer)];
      write(JSON.stringify({ method, path, status, milliseconds, traceId, requestId, error, client }));
    },
  };
}

function requestLine({ method, path, status, body, milliseconds, authorizer }: RespondedRequest): string {
  const color = status < 400 ? 'green' : status < 500 ? 'yellow' : 'red';
  const error = errorIn(body);
  const client = clientOf(authorizer);
  const line = [method, path, colored(color, [status, error?.code].join(' ').trimEnd(), process.stdout)];
  line.push(`${Math.round(milliseconds)} ms`);
  if (client !== undefined) line.push(`[${client}]`);
  if (error !== undefined && INVALID_BODY.includes(error.code))
    line.push(JSON.stringify(error.message).slice(1, -1));
  return line.join(' ');
}

/** Whether a request is for the page at `/docs`, or for its files. */
function isForPage({ path, status }: RespondedRequest): boolean {
  return status < 400 && /^\/(openapi\.json|docs(\/.*)?)?$/.test(path);
}

/** The client's name, as the authorizer returned it. */
function clientOf(authorizer: RespondedRequest['authorizer']): string | undefined {
  return authorizer?.client ?? authorizer?.principalId;
}

/** The code and message of an Error body; undefined for any other body. */
function errorIn(body: Buffer): { readonly code: number; readonly message: string } | undefined {
  const { error, message } = (body.length > 1_000 ? undefined : objectIn(body.toString())) ?? {};
  return typeof error === 'number' ? { code: error, message: String(message) } : undefined;
}

/** Formats a function's output for people, with stack traces on separate lines. Returns undefined for metrics. */
function readable(text: string): string | undefined {
  // An error that the handler threw, as Lambda's runtime logs it.
  const thrown = objectIn(/\tERROR\tInvoke Error\t(.*)$/s.exec(text)?.[1] ?? '');
  if (thrown !== undefined) {
    const { errorType, errorMessage, trace } = thrown;
    if (!Array.isArray(trace) || trace.length === 0) return `${errorType}: ${errorMessage}`;
    return trace.length === 1 && errorMessage === 'Unauthorized' ? REJECTED : trace.join('\n');
  }
  const logged = objectIn(text);
  if (logged === undefined) return text;
  if (logged._aws !== undefined) return undefined;
  return 'stack' in logged || 'message' in logged ? stackOf(logged) : text;
}

/** Returns the stack traces of a logged error and of its causes. */
function stackOf(logged: Record<string, unknown>): string {
  const stacks: string[] = [];
  for (let error: unknown = logged; isRecord(error); error = error.cause) {
    const { name, message, stack } = error;
    stacks.push(typeof stack === 'string' ? stack : [name, message].filter(Boolean).join(': '));
  }
  return stacks.join('\nCaused by: ');
}

function objectIn(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
