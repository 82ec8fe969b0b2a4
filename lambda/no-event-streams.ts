/**
 * What a bundle contains instead of `@smithy/core/event-streams`: nothing, because no operation has event streams
 * (decision 0030). A module of its own, because the SDK imports it dynamically: esbuild wraps each module that a dynamic
 * import can reach in a function, and so all that `stubs.ts` imports.
 */
export {};
