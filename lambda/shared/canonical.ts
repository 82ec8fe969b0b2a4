/** @returns the same text for equal JSON values, with sorted keys, and with a bigint as a number */
export function canonical(value: unknown): string {
  const parts: string[] = [];
  addParts('', value, parts);
  // Joined once: a join at each level would copy a long string as often as it is nested.
  return parts.join('');
}

function addParts(before: string, value: unknown, parts: string[]): void {
  // JSON.stringify writes Infinity, which JSON.parse returns for 1e400, as null.
  if (typeof value === 'number' || typeof value === 'bigint') parts.push(`${before}${value}`);
  else if (typeof value !== 'object' || value === null) parts.push(before, JSON.stringify(value));
  else if (Array.isArray(value)) {
    parts.push(`${before}[`);
    value.forEach((each, index) => {
      addParts(index === 0 ? '' : ',', each, parts);
    });
    parts.push(']');
  } else {
    parts.push(`${before}{`);
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    entries.forEach(([key, each], index) => {
      addParts(`${index === 0 ? '' : ','}${JSON.stringify(key)}:`, each, parts);
    });
    parts.push('}');
  }
}

/** Takes linear time, unlike comparing all pairs. */
export function areUnique(items: readonly unknown[]): boolean {
  return new Set(items.map(canonical)).size === items.length;
}
