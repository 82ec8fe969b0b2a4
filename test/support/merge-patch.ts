/** An edit of a JSON document: the changed values, in which null removes a key (RFC 7396). */
export type MergePatch = object | string | number | boolean | null;

/** Returns the edited document. */
export function mergePatch(document: unknown, patch: MergePatch): unknown {
  if (Array.isArray(patch) || patch !== Object(patch)) return patch;
  const merged = { ...Object(document) };
  for (const [key, value] of Object.entries<MergePatch>(Object(patch))) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}
