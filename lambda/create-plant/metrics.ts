/** The metric that counts each way in which a plant is created. A duplicate is a retry, so it succeeds too. */
export const METRICS = {
  created: 'PlantsCreated',
  /** The same plant was already in the table. */
  duplicate: 'DuplicateRequests',
} as const;
