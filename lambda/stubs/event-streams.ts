/** Bundled in the place of `@smithy/core/event-streams`, which no operation that we call has. */
export {};
