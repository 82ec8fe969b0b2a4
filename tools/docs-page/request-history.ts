import type { RespondedRequest } from '@plant-store/emulator';
import { clientOf, errorIn, type Log, readable, visitOfPage } from '../start/request-log.ts';
import { ACCESS_TOKEN_PATTERN } from '../tokens/tokens.ts';

const MAX_REQUESTS = 100;
/** The limit for each body, and for the log lines of each request. */
const MAX_CHARACTERS = 10 * 1024;

/** The history hides headers that may contain a secret. It also hides access tokens wherever they appear. */
const SECRET_HEADER = /auth|cookie|token|key/i;
const ACCESS_TOKEN = new RegExp(ACCESS_TOKEN_PATTERN, 'g');
const NOT_SHOWN = '(not shown)';

/** A request, its response and its log lines, without tokens. */
export type Exchange = ReturnType<typeof exchangeOf>;

/**
 * Returns a log that keeps the last requests in memory.
 * @param log receives the same requests and lines
 */
export function createRequestHistory(log: Log) {
  const exchanges: Exchange[] = [];
  const waiting = new Map<string, string[]>();
  let number = Date.now();
  return {
    received(traceId: string) {
      log.received(traceId);
      waiting.set(traceId, []);
    },
    line(text: string, traceId?: string) {
      log.line(text, traceId);
      const shown = readable(text);
      if (shown !== undefined) waiting.get(traceId ?? '')?.push(shown);
    },
    responded(request: RespondedRequest) {
      log.responded(request);
      const lines = waiting.get(request.traceId ?? '') ?? [];
      waiting.delete(request.traceId ?? '');
      if (visitOfPage(request) !== undefined) return;
      exchanges.push(exchangeOf(request, lines, ++number));
      exchanges.splice(0, exchanges.length - MAX_REQUESTS);
    },
    /** Returns the requests whose number is higher than `shown`, oldest first. */
    after: (shown: number) => exchanges.filter((exchange) => exchange.number > shown),
  };
}

/** @param number a number that increases with every request, even across restarts */
function exchangeOf(responded: RespondedRequest, lines: readonly string[], number: number) {
  const { method, path, status, body, headers, milliseconds, authorizer, request } = responded;
  const query = request?.query.toString();
  return {
    number,
    time: new Date(request?.timeEpoch ?? Date.now()).toISOString(),
    method,
    target: shown(query ? `${path}?${query}` : path),
    status,
    error: errorIn(body)?.code,
    client: clientOf(authorizer),
    milliseconds: Math.round(milliseconds),
    // AWS's front end may reject a request before all of it has arrived.
    request: request === undefined ? { headers: [], body: '', complete: false } : messageOf(request),
    response: messageOf({ headers, body }),
    log: shown(lines.join('\n')),
  };
}

/** @returns the headers and the body; `complete` is true if `body` is the whole body, unchanged */
function messageOf({ headers, body }: Pick<RespondedRequest, 'headers' | 'body'>) {
  const text = shown(body.toString());
  return {
    headers: headers.map(([name, value]) => [name, SECRET_HEADER.test(name) ? NOT_SHOWN : shown(value)]),
    body: text,
    complete: Buffer.from(text).equals(body),
  };
}

function shown(text: string): string {
  return text.replaceAll(ACCESS_TOKEN, NOT_SHOWN).slice(0, MAX_CHARACTERS);
}
