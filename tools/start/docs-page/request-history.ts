import { isUtf8 } from 'node:buffer';
import type { GatewayRequest, RespondedRequest } from '@plant-store/emulator';
import { clientOf, errorIn, type Log, readable, visitOfPage } from '../request-log.ts';

/** How many requests are kept, and how many bytes of a body, and of a request's log lines. */
const MAX_REQUESTS = 100;
const MAX_BYTES = 10 * 1024;

/** Headers with a secret, and any access token elsewhere. */
const SECRET_HEADER = /auth|cookie|token|key/i;
const ACCESS_TOKEN = /plantstore_[0-9a-f]{16}_[0-9a-f]{64}/g;
const NOT_SHOWN = '(not shown)';

/** A request, its response and its log lines, without tokens. */
export interface Exchange {
  /** Of two requests, the later one has the higher number; those of a later process are higher still. */
  readonly number: number;
  /** In ISO 8601. */
  readonly time: string;
  readonly method: string;
  /** With the query string. */
  readonly target: string;
  readonly status: number;
  readonly error: number | undefined;
  readonly client: string | undefined;
  readonly milliseconds: number;
  readonly request: Message;
  readonly response: Message;
  /** What the functions wrote. */
  readonly log: string;
}

interface Message {
  readonly headers: GatewayRequest['headers'];
  readonly body: string;
  /** Whether `body` is all of the body, unchanged. */
  readonly complete: boolean;
}

/** The last requests, in memory only, of all that is logged. */
export interface RequestHistory extends Log {
  /**
   * Returns the requests above a number, oldest first. If there are none, and the number is above 0, waits for the next
   * one, or until the end.
   */
  after(number: number): Promise<readonly Exchange[]>;
  /** Ends all waiting. */
  end(): void;
}

/** @param log receives all that the history receives */
export function createRequestHistory(log: Log): RequestHistory {
  const exchanges: Exchange[] = [];
  const waiting = new Map<string, string[]>();
  let number = Date.now();
  let ended = false;
  let next = Promise.withResolvers<void>();
  return {
    received(traceId) {
      log.received(traceId);
      waiting.set(traceId, []);
    },
    line(text, traceId) {
      log.line(text, traceId);
      const shown = readable(text);
      if (shown !== undefined) waiting.get(traceId ?? '')?.push(shown);
    },
    responded(request) {
      log.responded(request);
      const lines = waiting.get(request.traceId ?? '') ?? [];
      waiting.delete(request.traceId ?? '');
      if (visitOfPage(request) !== undefined) return;
      exchanges.push(exchangeOf(request, lines, ++number));
      exchanges.splice(0, exchanges.length - MAX_REQUESTS);
      next.resolve();
      next = Promise.withResolvers();
    },
    async after(shown) {
      const found = () => exchanges.filter((exchange) => exchange.number > shown);
      if (found().length === 0 && shown > 0 && !ended) await next.promise;
      return found();
    },
    end() {
      ended = true;
      next.resolve();
    },
  };
}

/** The bodies of the requests that succeeded, the newest first. */
export function acceptedBodies(exchanges: readonly Exchange[]): readonly string[] {
  return exchanges
    .filter(({ status, request }) => status < 300 && request.complete)
    .map(({ request }) => request.body)
    .toReversed();
}

function exchangeOf(responded: RespondedRequest, lines: readonly string[], number: number): Exchange {
  const { method, path, status, body, headers, milliseconds, authorizer, request } = responded;
  const query = request?.query.toString() ?? '';
  return {
    number,
    time: new Date(request?.timeEpoch ?? Date.now()).toISOString(),
    method,
    target: withoutTokens(query === '' ? path : `${path}?${query}`),
    status,
    error: errorIn(body)?.code,
    client: clientOf(authorizer),
    milliseconds: Math.round(milliseconds),
    request: messageOf(request?.headers ?? [], request?.body ?? Buffer.alloc(0), request !== undefined),
    response: messageOf(headers, body),
    log: withoutTokens(Buffer.from(lines.join('\n')).toString('utf8', 0, MAX_BYTES)),
  };
}

function messageOf(headers: GatewayRequest['headers'], body: Buffer, known = true): Message {
  const text = isUtf8(body)
    ? withoutTokens(body.toString('utf8', 0, MAX_BYTES))
    : `(${body.length} bytes that are not UTF-8)`;
  return {
    headers: headers.map(([name, value]) => [
      name,
      SECRET_HEADER.test(name) ? NOT_SHOWN : withoutTokens(value),
    ]),
    body: text,
    complete: known && Buffer.from(text).equals(body),
  };
}

function withoutTokens(text: string): string {
  return text.replaceAll(ACCESS_TOKEN, NOT_SHOWN);
}
