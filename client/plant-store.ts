import createClient, { type Client } from 'openapi-fetch';
import type { paths } from '../lambda/generated/openapi.ts';
import { exactJson } from './json.ts';
import { retryingFetch } from './retrying-fetch.ts';
import { serviceResponse } from './service-response.ts';

export interface PlantStoreOptions {
  /** For example `http://localhost:3000`, without a trailing slash. */
  readonly baseUrl: string;
  readonly accessToken: string;
}

/**
 * Returns a client whose types are generated from openapi.json. Ids are bigints, which are sent without rounding.
 * The client's methods throw UnexpectedResponseError if the response did not come from the service
 * (docs/decisions.md#the-client).
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
