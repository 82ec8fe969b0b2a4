/**
 * The stub for `@smithy/core/event-streams`. It is empty, because no operation uses event streams
 * (docs/decisions.md#cold-starts). It is a separate module because the SDK imports it dynamically, and esbuild adds a
 * wrapper function to every module that a dynamic import can reach. If this stub were in `stubs.ts`, every module that
 * `stubs.ts` imports would get a wrapper.
 */
export {};
