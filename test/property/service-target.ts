import { plantsIn } from '../support/plants-in.ts';
import type { Service } from '../support/service.ts';
import { plantOf, type Target } from '../support/target.ts';

/** Tests the whole service, from HTTP to the item in DynamoDB. */
export function serviceTarget(service: () => Service): Target {
  return {
    create: (body, headers) => {
      const { token, send } = service();
      const named = Object.keys(headers ?? {}).map((name) => name.toLowerCase());
      const authorization = named.includes('authorization') ? {} : { Authorization: `Bearer ${token}` };
      return send(headers === undefined ? { body } : { body, headers: { ...authorization, ...headers } });
    },
    items: () => plantsIn(service().dynamodb),
    stored: async (id) => {
      const item = await service().stored(id);
      return item && plantOf(item);
    },
  };
}
