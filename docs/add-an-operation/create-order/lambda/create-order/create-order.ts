import type { components } from '../generated/openapi.ts';
import { OperationError, operationErrors } from '../shared/errors.ts';

export type NewOrder = components['schemas']['NewOrder'];
type Order = components['schemas']['Order'];

/**
 * Puts an order into the table, unless a different order has the same id.
 *
 * @throws OperationError 1500 if DynamoDB fails; the order may have been stored anyway
 */
export type PutOrder = (order: NewOrder) => Promise<'created' | 'orderExists' | 'tooLarge'>;

/**
 * Creates an order.
 *
 * @throws OperationError if the order is rejected or DynamoDB fails
 */
export async function createOrder(
  { id, status, address, items }: NewOrder,
  put: PutOrder,
): Promise<Order> {
  const outcome = await put({ id, status, address, items });
  if (outcome !== 'created') throw new OperationError(operationErrors[outcome]);
  return { id, status };
}
