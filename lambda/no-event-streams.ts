/**
 * The stub for `@smithy/core/event-streams`: empty, because no operation has event streams (decision 0030). It is a
 * separate module because the SDK imports it dynamically: esbuild wraps in a function every module that a dynamic import
 * can reach; if this stub were in `stubs.ts`, that would include everything that `stubs.ts` imports.
 */
export {};
