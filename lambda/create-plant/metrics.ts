/** The metrics of createPlant alone; METRIC_UNITS has the others. */
export const createPlantMetrics = {
  created: 'PlantsCreated',
  duplicate: 'DuplicateRequests',
} as const;
