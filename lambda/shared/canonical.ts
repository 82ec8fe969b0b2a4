/** @returns the same text for equal JSON values, with sorted keys, and with a bigint as a number */
export function canonical(value: unknown): string {
  // JSON.stringify writes Infinity, which JSON.parse returns for 1e400, as null.
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const fields = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`);
  return `{${fields.sort().join()}}`;
}

/** Takes linear time, unlike comparing all pairs. */
export function areUnique(items: readonly unknown[]): boolean {
  return new Set(items.map(canonical)).size === items.length;
}
