import { EmulatorError, type RequestObserver, type RespondedRequest } from '../emulator/index.ts';
import { colored } from './colors.ts';

/** Receives what the emulator logs. */
export interface Log extends RequestObserver {
  /** `traceId` is that of the request to which the line belongs, if there is one. */
  line(text: string, traceId?: string): void;
}

type Write = (line: string) => void;

/**
 * Returns the log that the variable `LOG` selects.
 * @throws EmulatorError if it is neither `json` nor empty
 */
export function logFor(format: string | undefined, write: Write): Log {
  if (!format) return logForPeople(write);
  if (format === 'json') return logAsJson(write);
  throw new EmulatorError(`LOG must be json or not set, and is "${format}".`);
}

/**
 * One line for each request, such as `POST /plants 400 1004 6 ms ci`, and under it what its functions wrote, without
 * the metrics. Lines wait for their request, so that those of concurrent requests are not mixed.
 */
export function logForPeople(write: Write): Log {
  const waiting = new Map<string, string[]>();
  return {
    received: (traceId) => waiting.set(traceId, []),
    line(text, traceId) {
      const lines = waiting.get(traceId ?? '');
      if (lines === undefined) readable(text).forEach(write);
      else lines.push(...readable(text));
    },
    responded(request) {
      write(requestLine(request));
      for (const line of waiting.get(request.traceId ?? '') ?? []) write(`  ${line}`);
      waiting.delete(request.traceId ?? '');
    },
  };
}

/** One JSON object in each line, the metrics included: what `LOG=json` selects. */
function logAsJson(write: Write): Log {
  return {
    received: () => {},
    line: (text, traceId) =>
      write(objectIn(text) === undefined ? JSON.stringify({ message: text, traceId }) : text),
    responded({ body, authorizer, ...request }) {
      write(JSON.stringify({ ...request, error: errorCode(body), client: clientOf(authorizer) }));
    },
  };
}

function requestLine({ method, path, status, body, milliseconds, authorizer }: RespondedRequest): string {
  const color = status < 400 ? 'green' : status < 500 ? 'yellow' : 'red';
  const result = [status, errorCode(body)].filter((part) => part !== undefined).join(' ');
  const line = [method, path, colored(color, result, process.stdout)];
  return [...line, `${Math.round(milliseconds)} ms`, clientOf(authorizer) ?? ''].join(' ').trimEnd();
}

/** The name that the authorizer gives to the sender of a request. */
function clientOf(authorizer: RespondedRequest['authorizer']): string | undefined {
  return authorizer?.client ?? authorizer?.principalId;
}

/** The code of an Error body. */
function errorCode(body: Buffer): number | undefined {
  const error = body.length > 1_000 ? undefined : objectIn(body.toString())?.error;
  return typeof error === 'number' ? error : undefined;
}

/** What a function wrote, with stacks in lines of their own; nothing of its metrics. */
function readable(text: string): readonly string[] {
  // An error that the handler threw, as Lambda's runtime logs it.
  const thrown = objectIn(/\tERROR\tInvoke Error\t(.*)$/s.exec(text)?.[1] ?? '');
  if (thrown !== undefined) {
    const { errorType, errorMessage, trace } = thrown;
    return Array.isArray(trace) && trace.length > 0 ? trace.map(String) : [`${errorType}: ${errorMessage}`];
  }
  const logged = objectIn(text);
  if (logged === undefined) return [text];
  if (logged._aws !== undefined) return [];
  return 'stack' in logged || 'message' in logged ? stackOf(logged) : [text];
}

/** A logged error with its causes. */
function stackOf({ name, message, stack, cause }: Record<string, unknown>): readonly string[] {
  const own = typeof stack === 'string' ? stack : [name, message].filter(Boolean).join(': ');
  const causes = isRecord(cause) ? stackOf(cause) : [];
  return [...own.split('\n'), ...causes.map((line, index) => (index === 0 ? `Caused by: ${line}` : line))];
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
