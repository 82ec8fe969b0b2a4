/** Seconds since 1970, as token records have them. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
