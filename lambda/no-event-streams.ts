/**
 * The stub for `@smithy/core/event-streams`. It is empty, because no operation uses event streams (decision 0030). It
 * is a separate module because the SDK imports it dynamically, and esbuild adds a wrapper function to every module that
 * a dynamic import can reach. In `stubs.ts`, this stub would cause a wrapper for every module that `stubs.ts` imports.
 */
export {};
