import validate from '../../lambda/generated/validate-create-plant-event.js';

/**
 * The range of ids of the plants that a run may leave behind: the largest int64 values, which a JavaScript number
 * cannot represent exactly.
 */
export const FIRST_ID = 9_223_372_036_000_000_000n;
/** The largest int64, and the id of the only plant that a run leaves behind in prod. */
export const LAST_ID = 2n ** 63n - 1n;

/** The ids outside this range of the plants that a run may leave behind: none if openapi.json rejects the smallest int64. */
export const SMALLEST_IDS = [-(2n ** 63n)].filter((id) => validate({ body: { id, name: 'conformance' } }));
