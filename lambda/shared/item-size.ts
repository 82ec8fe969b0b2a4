/** The largest item that DynamoDB stores, names of attributes included. */
export const MAX_ITEM_BYTES = 400 * 1024;

/** DynamoDB counts attribute names and values in UTF-8; numbers, at most 21 bytes each, are left out. */
export function itemBytesWithoutNumbers(item: object): number {
  const strings = Object.entries(item)
    .flat()
    .filter((part) => typeof part === 'string');
  return Buffer.byteLength(strings.join(''));
}
