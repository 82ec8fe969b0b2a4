declare global {
  interface JSON {
    /** ES2026; Node 22, Chrome 114, Firefox 135 and Safari 18.4 support it. */
    rawJSON(text: string): object;
  }
}

/** Returns the value as JSON, with each bigint as a number that has all its digits: `{"id":9007199254740993}`. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    typeof field === 'bigint' ? JSON.rawJSON(`${field}`) : field,
  );
}

/** Parses a JSON object; returns an empty one if the text is anything else. */
export function jsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
