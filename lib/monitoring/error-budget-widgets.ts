import { Duration } from 'aws-cdk-lib';
import { GraphWidget, type IWidget, MathExpression, SingleValueWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { burnRateAlarms, faultShare, REQUESTS_PER_FAULT } from './error-budget.ts';
import type { ServiceParts } from './metrics.ts';

const HOUR = Duration.hours(1);

/** How fast the error budget is used up, and whether the objective is met. */
export function errorBudgetWidgets(parts: ServiceParts): IWidget[] {
  return [
    new GraphWidget({
      title: 'Burn rate of the error budget',
      left: [
        new MathExpression({
          expression: `share * ${REQUESTS_PER_FAULT}`,
          usingMetrics: { share: faultShare(parts, HOUR) },
          period: HOUR,
          label: 'over an hour',
        }),
      ],
      leftAnnotations: [
        ...burnRateAlarms.map(({ name, burnRate: { rate } }) => ({ value: rate, label: name })),
        { value: 1, label: 'ErrorBudgetTicket' },
      ],
      leftYAxis: { label: 'times the objective', min: 0, showUnits: false },
      width: 16,
      height: 6,
    }),
    new SingleValueWidget({
      title: 'Requests without a fault, 28 days (objective: 99.9 %)',
      metrics: [
        new MathExpression({
          expression: '100 * (1 - share)',
          usingMetrics: { share: faultShare(parts, Duration.days(1)) },
          period: Duration.days(1),
          label: '%',
        }),
      ],
      setPeriodToTimeRange: true,
      start: '-P28D',
      end: 'P0D',
      width: 8,
      height: 6,
    }),
  ];
}
