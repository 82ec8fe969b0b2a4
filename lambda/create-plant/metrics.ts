/** The metrics of createPlant alone; METRIC_UNITS has the others. A duplicate is a retry, so it succeeds too. */
export const createPlantMetrics = {
  created: 'PlantsCreated',
  duplicate: 'DuplicateRequests',
} as const;
