/** Options that raise the throttle limits, because the tests send requests faster than the default limits allow. */
export const UNTHROTTLED = { throttleRate: '10000' } as const;

/** The folder of the app that global-setup.ts synthesizes once for all tests. */
export function synthesizedAssembly(): string {
  const folder = process.env.PLANT_STORE_ASSEMBLY;
  if (folder === undefined) throw new Error('global-setup.ts has not run: start the tests with npm test');
  return folder;
}
