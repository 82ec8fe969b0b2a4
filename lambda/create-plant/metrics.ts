/** The metrics of createPlant alone; METRIC_UNITS has the others. A duplicate is a retry, so it succeeds too. */
export const METRICS = {
  created: 'PlantsCreated',
  /** The same plant was already in the table. */
  duplicate: 'DuplicateRequests',
} as const;
