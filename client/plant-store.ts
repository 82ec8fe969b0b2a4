import createClient, { type Client } from 'openapi-fetch';
import type { paths } from '../lambda/generated/openapi.ts';
import { exactJson } from './exact-json.ts';
import { retryingFetch } from './retrying-fetch.ts';

export interface PlantStoreOptions {
  /** For example `http://localhost:3000`: no slash at its end. */
  readonly baseUrl: string;
  readonly accessToken: string;
}

/** A client of the interface, typed by openapi.json. An id is a bigint, and reaches the service as it is. */
export function plantStore({ baseUrl, accessToken }: PlantStoreOptions): Client<paths> {
  return createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${accessToken}` },
    bodySerializer: exactJson,
    fetch: (request) => retryingFetch(request),
  });
}
