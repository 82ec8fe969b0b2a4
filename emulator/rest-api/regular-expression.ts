/** The regular expression that matches exactly this text. (`RegExp.escape` waits for TypeScript's es2025 library.) */
export function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
