/** The functions that emit metrics: the value of the dimension `service`. */
export type ServiceName = 'create-plant' | 'authorize';

/** The CloudWatch namespace of the functions' metrics, each with the dimensions service and stage. */
export const METRICS_NAMESPACE = 'PlantStore';

/** Each metric with its unit. `lib` builds alarms and the dashboard from these names. */
export const METRICS = {
  PlantsCreated: 'Count',
  /** A retry: the same plant was there already, and the response is 200. */
  DuplicateRequests: 'Count',
  /** The authorizer allowed a request. */
  AllowedRequests: 'Count',
  /** The request was wrong. Counted by error code too. */
  ClientErrors: 'Count',
  /** The service failed: 1 or 0 for every request, so that the average is the share of failed requests. */
  Faults: 'Count',
  /** Of the put, the SDK's retries included. */
  PutLatency: 'Milliseconds',
  /** Of the function's handler. */
  Duration: 'Milliseconds',
} as const;

export type MetricName = keyof typeof METRICS;
