/** The stub for `@smithy/core/event-streams`, which none of our operations has. */
export {};
