/** Who emits metrics: the value of their dimension `service`. */
export type ServiceName = 'create-plant' | 'authorize';

/** The CloudWatch namespace of the metrics that the functions emit, each with the dimensions service and stage. */
export const METRICS_NAMESPACE = 'PlantStore';

/** Each metric with its unit. `lib` builds alarms and the dashboard from these names. */
export const METRICS = {
  PlantsCreated: 'Count',
  /** The same plant came again and was answered 200. */
  DuplicateRequests: 'Count',
  /** The authorizer let a request through. */
  AllowedRequests: 'Count',
  /** The client's fault. Counted by error number too. */
  ClientErrors: 'Count',
  /** The service's fault: 1 or 0 for every request, so that the average is the share of failed requests. */
  Faults: 'Count',
  /** From asking the store to write the plant to its answer, the SDK's own retries included. */
  PutLatency: 'Milliseconds',
  /** From the function's receiving the request to its answer. */
  Duration: 'Milliseconds',
} as const;

export type MetricName = keyof typeof METRICS;
