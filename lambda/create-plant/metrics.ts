/** The metrics of createPlant alone; METRIC_UNITS has the others. A duplicate is a retry, so it succeeds too. */
export const METRICS = {
  created: 'PlantsCreated',
  duplicate: 'DuplicateRequests',
} as const;
