/** The size of the largest item that DynamoDB stores, including the names of the attributes. */
export const MAX_ITEM_BYTES = 400 * 1024;

/** The size of an item as DynamoDB counts it (in UTF-8), but without numbers, which take at most 21 bytes each. */
export function itemBytesWithoutNumbers(item: object): number {
  const strings = Object.entries(item)
    .flat()
    .filter((part) => typeof part === 'string');
  return Buffer.byteLength(strings.join(''));
}

/** Whether DynamoDB rejected an item because of its size. */
export function isItemTooLarge(error: unknown): boolean {
  return (
    Error.isError(error) && error.name === 'ValidationException' && /item size/i.test(error.message)
  );
}
