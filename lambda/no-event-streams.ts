/**
 * The stub for `@smithy/core/event-streams`: empty, because no operation has event streams (decision 0030). It is a
 * separate module because the SDK imports it dynamically. esbuild wraps every module that a dynamic import can reach in
 * a function; in `stubs.ts`, this would include all of its imports.
 */
export {};
