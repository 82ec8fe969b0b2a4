/** @returns the same text for equal JSON values: keys in one order, and a bigint as the number that it stands for */
export function canonical(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const fields = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`);
  return `{${fields.sort().join()}}`;
}

/** Linear, unlike a comparison of all pairs. */
export function areUnique(items: readonly unknown[]): boolean {
  return new Set(items.map(canonical)).size === items.length;
}
