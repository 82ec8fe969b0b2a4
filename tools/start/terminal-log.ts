import { styleText } from 'node:util';
import type { Exchange, RequestObserver } from 'stack-emulator';
import { escaped, isObject, parseObject } from '../json.ts';

export interface TerminalLog extends RequestObserver {
  /** @param traceId the trace id of the request that the line belongs to, if any */
  line(text: string, traceId?: string): void;
}

/** Lists every possible reason, because the authorizer's response does not distinguish them. */
const REJECTED =
  'The authorizer rejected the token: it is unknown, expired or not for this service.';

/**
 * Logs one line for each request, such as `POST /plants 400 1004 6 ms [ci] another plant has this id`, and below it
 * what the request's functions logged, without metrics. Writes these lines only when the request ends, so that the
 * lines of concurrent requests do not mix. Requests for the page at `/docs` and its files are not logged.
 */
export function terminalLog(write: (line: string) => void): TerminalLog {
  const waiting = new Map<string, string[]>();
  return {
    received: (traceId) => waiting.set(traceId, []),
    line(text, traceId = '') {
      const shown = readable(text);
      if (shown === undefined) return;
      const lines = waiting.get(traceId);
      if (lines === undefined) write(shown);
      else lines.push(shown);
    },
    responded(exchange) {
      const { status, traceId = '' } = exchange;
      const lines = waiting.get(traceId) ?? [];
      waiting.delete(traceId);
      if (status === 401 && lines.length === 0) lines.push('The token is missing or malformed.');
      if (!isForPage(exchange))
        write([requestLine(exchange), ...lines].join('\n').replaceAll('\n', '\n  '));
    },
  };
}

function requestLine(exchange: Exchange): string {
  const { method, path, status, milliseconds, context } = exchange;
  const { error, message } = errorOf(exchange);
  const color = status < 400 ? 'green' : status < 500 ? 'yellow' : 'red';
  const result = styleText(color, [status, error].join(' ').trimEnd(), { stream: process.stdout });
  const client = context?.client ?? context?.principalId;
  const line = [
    // A client can send any bytes in X-HTTP-Method-Override, and an authorizer can return any name.
    escaped(method),
    path,
    result,
    `${Math.round(milliseconds)} ms`,
    client && `[${escaped(client)}]`,
    message,
  ];
  return line.filter(Boolean).join(' ');
}

function isForPage({ path, status }: Exchange): boolean {
  return status < 400 && /^\/(openapi\.json|docs(\/.*)?)?$/.test(path);
}

/** The fields of an Error body, or the message of AWS's front end; none for any other body. */
function errorOf(exchange: Exchange): { error?: number; message?: string } {
  const { status, body, traceId } = exchange;
  if (traceId === undefined) return { message: body.toString() };
  const { error, message } = (status < 400 ? undefined : parseObject(body.toString())) ?? {};
  return typeof error === 'number' ? { error, message: escaped(String(message)) } : {};
}

/** Formats a function's output for people, with stack traces on separate lines. Returns undefined for metrics. */
function readable(text: string): string | undefined {
  // An error that the handler threw, as Lambda's runtime logs it.
  const thrown = parseObject(/\tERROR\tInvoke Error\t(.*)$/s.exec(text)?.[1] ?? '');
  if (thrown !== undefined) {
    const { errorType, errorMessage, trace } = thrown;
    const stack = Array.isArray(trace) ? trace.join('\n') : '';
    return stack === 'Unauthorized' ? REJECTED : stack || `${errorType}: ${errorMessage}`;
  }
  const logged = parseObject(text);
  if (logged === undefined) return text;
  if (logged._aws !== undefined) return undefined;
  const stacks: unknown[] = [];
  for (let error: unknown = logged; isObject(error); error = error.cause) {
    stacks.push(error.stack ?? error.message ?? JSON.stringify(error));
  }
  return stacks.join('\nCaused by: ');
}
