import type { GatewayRequest } from './request.ts';
import type { HttpResponse } from './response.ts';

/** Receives each request and its response, for a log. */
export interface RequestObserver {
  /** Called when a request arrives; a call of `responded` follows. */
  received(traceId: string): void;
  responded(request: RespondedRequest): void;
}

export interface RespondedRequest extends HttpResponse {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  readonly milliseconds: number;
  /** Undefined if AWS's front end rejected the request; `requestId` and `request` are then undefined too. */
  readonly traceId: string | undefined;
  readonly requestId: string | undefined;
  /** The authorizer's context; undefined if no authorizer allowed the request. */
  readonly authorizer: Readonly<Record<string, string>> | undefined;
  /** The request; its headers contain the token. */
  readonly request: GatewayRequest | undefined;
}
