/** @returns a string that is the same for equal JSON values: keys are sorted, and a bigint is written like a number */
export function canonical(value: unknown): string {
  const parts: string[] = [];
  addParts('', value, parts);
  // Joins only once, because joining at each level would copy a nested string once for every level.
  return parts.join('');
}

function addParts(before: string, value: unknown, parts: string[]): void {
  // JSON.stringify would write null for Infinity, which JSON.parse returns for 1e400.
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

/** Whether all items are different. Takes linear time, unlike a comparison of all pairs. */
export function areUnique(items: readonly unknown[]): boolean {
  return new Set(items.map(canonical)).size === items.length;
}
