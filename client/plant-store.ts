import createClient, { type Client } from 'openapi-fetch';
import type { paths } from '../lambda/generated/openapi.ts';
import { retryingFetch } from './retrying-fetch.ts';
import { serviceResponse } from './service-response.ts';

declare global {
  interface JSON {
    /** Part of ES2026, and supported since Node 22. */
    rawJSON(text: string): object;
  }
}

export interface PlantStoreOptions {
  /** For example `http://127.0.0.1:3000`, without a trailing slash. */
  readonly baseUrl: string;
  readonly accessToken: string;
}

/**
 * Returns a client whose types are generated from openapi.json. Ids are bigints, which are sent without rounding.
 * The client's methods throw UnexpectedResponseError if the response did not come from the service.
 */
export function plantStore({ baseUrl, accessToken }: PlantStoreOptions): Client<paths> {
  return createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${accessToken}` },
    bodySerializer: exactJson,
    // The service never sends a redirect. A redirect from a proxy may lead to a login page.
    redirect: 'manual',
    fetch: async (request) => serviceResponse(await retryingFetch(request)),
  });
}

/** Returns the value as JSON. Writes each bigint as a number with all its digits, as in `{"id":9007199254740993}`. */
function exactJson(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    typeof field === 'bigint' ? JSON.rawJSON(`${field}`) : field,
  );
}
