/** What can happen to a request to DynamoDB, and how often in a thousand requests. */
const perThousand = {
  none: 620,
  throttled: 70,
  'over the provisioned throughput': 70,
  'failed with 500': 70,
  'reset before it was applied': 50,
  'applied, its reply lost': 60,
  'applied, its reply cut in half': 40,
  'applied, its reply never ended': 10,
  'stalled and never applied': 10,
  'stalled and applied after all': 10,
} as const;

export type Fault = keyof typeof perThousand;

export const faults = Object.keys(perThousand).filter(isFault);

/** @param random returns numbers from 0 to below 1 */
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
