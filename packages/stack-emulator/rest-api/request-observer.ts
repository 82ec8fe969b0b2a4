import type { HttpResponse } from './response.ts';

export interface RequestObserver {
  /** Called when a request has arrived, unless AWS's front end rejects it. `responded` is called afterward. */
  received(traceId: string): void;
  responded(request: RespondedRequest): void;
}

export interface RespondedRequest extends HttpResponse {
  readonly method: string;
  /** The path, without the query string. */
  readonly path: string;
  readonly milliseconds: number;
  /** Undefined if AWS's front end rejected the request. */
  readonly traceId: string | undefined;
  /** The authorizer's context; undefined if no authorizer allowed the request. */
  readonly authorizer: Readonly<Record<string, string>> | undefined;
}
