declare global {
  interface JSON {
    /** Part of ES2026, and supported since Node 22, Chrome 114, Firefox 135 and Safari 18.4. */
    rawJSON(text: string): object;
  }
}

/** Returns the value as JSON. Writes each bigint as a number with all its digits, as in `{"id":9007199254740993}`. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    typeof field === 'bigint' ? JSON.rawJSON(`${field}`) : field,
  );
}

/** Parses a JSON object. Returns an empty object if the text is anything else. */
export function jsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
