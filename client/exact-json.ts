declare global {
  interface JSON {
    /** ES2026; Node 22, Chrome 114, Firefox 135 and Safari 18.4 have it. */
    rawJSON(text: string): object;
  }
}

/** JSON in which a bigint stands with its own digits, as a number: `{"id":9007199254740993}`. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    typeof field === 'bigint' ? JSON.rawJSON(`${field}`) : field,
  );
}
