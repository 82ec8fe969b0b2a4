/** What can happen to a request to DynamoDB, and how often out of 1,000 requests. */
const perThousand = {
  none: 620,
  throttled: 70,
  'above the provisioned throughput': 70,
  'failed with 500': 70,
  'reset before it was applied': 50,
  'applied, but the response is lost': 60,
  'applied, but the response is cut in half': 40,
  'applied, but the response does not end': 10,
  'stalled and never applied': 10,
  'stalled, then applied': 10,
} as const;

export type Fault = keyof typeof perThousand;

export const faults = Object.keys(perThousand).filter(isFault);

/** @param random returns numbers that are at least 0 and less than 1 */
export function randomFault(random: () => number): Fault {
  let left = random() * faults.reduce((sum, fault) => sum + perThousand[fault], 0);
  for (const fault of faults) {
    left -= perThousand[fault];
    if (left < 0) return fault;
  }
  return 'none';
}

function isFault(name: string): name is Fault {
  return name in perThousand;
}
