/** Options under which no suite reaches the throttle of the stage, which the suites run faster than its default. */
export const UNTHROTTLED = { throttleRate: '10000', throttleBurst: '10000' } as const;
