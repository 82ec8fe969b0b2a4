/** Options that raise the throttle limits, because the tests send requests faster than the default limits allow. */
export const UNTHROTTLED = { throttleRate: '10000' } as const;
