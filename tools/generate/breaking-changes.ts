import { apiCompare, breaking, type Diff } from 'api-smart-diff';

/** Returns the changes that break clients, such as `remove paths//plants/post/responses/404`. */
export function breakingChanges(before: unknown, after: unknown): string[] {
  const { diffs } = apiCompare(before, after);
  return (
    diffs
      // What a component changes is reported again at each path that uses it.
      .filter(({ path }) => path[0] !== 'components')
      .filter((diff) => diff.type === breaking || removesFromResponse(diff))
      .map(({ action, path }) => `${action} ${path.join('/')}`)
  );
}

/** The library accepts every removed property, as if all schemas were those of requests. */
function removesFromResponse({ action, path }: Diff): boolean {
  return action === 'remove' && path[3] === 'responses' && path.at(-2) === 'properties';
}
