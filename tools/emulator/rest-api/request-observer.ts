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
  /** If AWS's front end rejected the request, `traceId` and `requestId` are undefined. */
  readonly traceId: string | undefined;
  readonly requestId: string | undefined;
  /** The authorizer's context; undefined if no authorizer allowed the request. */
  readonly authorizer: Readonly<Record<string, string>> | undefined;
}
