import { Alarm, ComparisonOperator, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import {
  apiMetric,
  customMetric,
  functionMetric,
  type ServiceParts,
  tableMetric,
  throttledRequests,
} from './metrics.ts';

/** The deployments that an alarm can roll back. */
export type Deployment = 'createPlant' | 'authorize';

interface AlarmSpec {
  /** Also the heading of its runbook entry in docs/operations.md. */
  readonly name: string;
  /** One sentence for the person on call. */
  readonly meaning: string;
  readonly metric: Metric;
  /** The alarm is raised above this. The default is 0. */
  readonly threshold?: number;
  /** The default is SUSTAINED. */
  readonly evaluation?: { readonly datapointsToAlarm: number; readonly evaluationPeriods: number };
  readonly rollsBack?: readonly Deployment[];
}

/** Within the five minutes of a canary. */
const FAST = { datapointsToAlarm: 2, evaluationPeriods: 5 };
const SUSTAINED = { datapointsToAlarm: 3, evaluationPeriods: 5 };

/** 0.1 % of the requests: above DynamoDB's sporadic errors, below a version with a bug. */
const FAULTS = { threshold: 0.001, evaluation: FAST };

const alarmsOn = (parts: ServiceParts): readonly AlarmSpec[] => [
  // The average of a metric that is 0 or 1 is a share of the requests.
  {
    name: 'CreatePlantFaults',
    meaning: 'More than 0.1 % of the requests failed through a fault of the service (errors 1500 and 1599).',
    metric: customMetric(parts, 'create-plant', 'Faults', 'Average'),
    ...FAULTS,
    rollsBack: ['createPlant'],
  },
  {
    name: 'CreatePlantErrors',
    meaning: 'createPlant failed to start, crashed, timed out or ran out of memory.',
    metric: functionMetric(parts.createPlant, 'Errors', 'Average'),
    ...FAULTS,
    rollsBack: ['createPlant'],
  },
  {
    name: 'AuthorizeFaults',
    meaning: 'More than 0.1 % of the token checks failed through a fault of the service.',
    metric: customMetric(parts, 'authorize', 'Faults', 'Average'),
    ...FAULTS,
    rollsBack: ['authorize'],
  },
  // Covers an authorizer that fails to run. Lambda's Errors would also count every rejected token, because a TOKEN
  // authorizer throws to reject one.
  {
    name: 'ApiServerErrors',
    meaning: 'More than 0.1 % of the responses were a 5xx: the authorizer or createPlant fails to run.',
    metric: apiMetric(parts, '5XXError', 'Average'),
    ...FAULTS,
    // Only API Gateway notices that createPlant returns something that is no response.
    rollsBack: ['createPlant', 'authorize'],
  },
  {
    name: 'ApiLatency',
    meaning: 'One request in a hundred took longer than a second.',
    metric: apiMetric(parts, 'Latency', 'p99'),
    threshold: 1_000,
  },
  {
    name: 'ApiThrottles',
    meaning: 'API Gateway throttled requests (status 429).',
    metric: throttledRequests(parts),
  },
  {
    name: 'CreatePlantThrottles',
    meaning: 'Lambda had no concurrency left for createPlant.',
    metric: functionMetric(parts.createPlant, 'Throttles', 'Sum'),
  },
  {
    name: 'AuthorizeThrottles',
    meaning: 'Lambda had no concurrency left for the authorizer.',
    metric: functionMetric(parts.authorize, 'Throttles', 'Sum'),
  },
  {
    name: 'PlantsTableThrottles',
    meaning: 'DynamoDB throttled writes of plants.',
    metric: tableMetric(parts.plants, 'WriteThrottleEvents'),
  },
  {
    name: 'TokensTableThrottles',
    meaning: 'DynamoDB throttled reads of tokens.',
    metric: tableMetric(parts.tokens, 'ReadThrottleEvents'),
  },
  {
    name: 'PlantsTableErrors',
    meaning: 'DynamoDB failed to write plants with errors of its own.',
    metric: tableMetric(parts.plants, 'SystemErrors', 'PutItem'),
  },
  {
    name: 'TokensTableErrors',
    meaning: 'DynamoDB failed to read tokens with errors of its own.',
    metric: tableMetric(parts.tokens, 'SystemErrors', 'GetItem'),
  },
];

/** The alarms of the service. Each notifies the topic and has a runbook entry. */
export class Alarms extends Construct {
  readonly all: readonly Alarm[];
  private readonly specs: readonly AlarmSpec[];

  constructor(scope: Construct, id: string, { parts, topic }: { parts: ServiceParts; topic: ITopic }) {
    super(scope, id);
    this.specs = alarmsOn(parts);
    const notify = new SnsAction(topic);
    this.all = this.specs.map(({ name, meaning, metric, threshold = 0, evaluation = SUSTAINED }) => {
      const alarm = new Alarm(this, name, {
        alarmDescription: `${meaning} Runbook: docs/operations.md#${name.toLowerCase()}`,
        metric,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        threshold,
        ...evaluation,
        // No data means no requests.
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      alarm.addAlarmAction(notify);
      alarm.addOkAction(notify);
      return alarm;
    });
  }

  /** The alarms that stop a deployment and roll it back. */
  rollingBack(deployment: Deployment): readonly Alarm[] {
    return this.all.filter((_, index) => this.specs[index]?.rollsBack?.includes(deployment));
  }
}
