/** Options that raise the throttle, because the tests send requests faster than the default allows. */
export const UNTHROTTLED = { throttleRate: '10000', throttleBurst: '10000' } as const;
