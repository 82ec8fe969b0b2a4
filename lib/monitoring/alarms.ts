import type { Alarm, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { emitted, ofApi, ofFunction, ofTable, type ServiceParts, throttledRequests } from './metrics.ts';
import { RunbookAlarm } from './runbook-alarm.ts';

/** One request in a thousand: more than the store's rare hiccups, less than a version with a bug. */
const FAULT_SHARE = 0.001;
const SLOW_MS = 1_000;

/** Soon enough for a canary of five minutes. */
const SOON = { bad: 2, of: 5 };
const LASTING = { bad: 3, of: 5 };

export interface AlarmsProps {
  readonly parts: ServiceParts;
  readonly topic: ITopic;
}

/** Watches every layer and announces what is wrong. */
export class Alarms extends Construct {
  readonly all: readonly Alarm[];
  /** Those that stop the deployment of a new createPlant. */
  readonly ofCreatePlant: readonly Alarm[];
  /** Those that stop the deployment of a new authorizer. */
  readonly ofAuthorize: readonly Alarm[];

  constructor(scope: Construct, id: string, { parts, topic }: AlarmsProps) {
    super(scope, id);
    const { createPlant, authorize, plants, tokens } = parts;
    const alarm = (name: string, meaning: string, metric: Metric, above = 0, minutes = LASTING) =>
      new RunbookAlarm(this, name, { meaning, metric, above, minutes, topic });

    // The average of ones and zeroes is the share of the requests.
    this.ofCreatePlant = [
      alarm(
        'CreatePlantFaults',
        'More than 0.1 % of the requests failed through our fault (errors 1500 and 1599).',
        emitted(parts, 'create-plant', 'Faults', 'Average'),
        FAULT_SHARE,
        SOON,
      ),
      alarm(
        'CreatePlantErrors',
        'createPlant could not start, crashed or ran out of time or memory.',
        ofFunction(createPlant, 'Errors', 'Average'),
        FAULT_SHARE,
        SOON,
      ),
    ];
    this.ofAuthorize = [
      alarm(
        'AuthorizeFaults',
        'More than 0.1 % of the tokens that were checked could not be checked.',
        emitted(parts, 'authorize', 'Faults', 'Average'),
        FAULT_SHARE,
        SOON,
      ),
      // Lambda's own Errors of the authorizer won't do: to refuse a token, it must throw.
      alarm(
        'ApiServerErrors',
        'More than 0.1 % of the requests were answered with a 5xx: the authorizer or createPlant does not run.',
        ofApi(parts, '5XXError', 'Average'),
        FAULT_SHARE,
        SOON,
      ),
    ];
    this.all = [
      ...this.ofCreatePlant,
      ...this.ofAuthorize,
      alarm(
        'ApiLatency',
        'One request in a hundred took longer than a second.',
        ofApi(parts, 'Latency', 'p99'),
        SLOW_MS,
      ),
      alarm('ApiThrottles', 'API Gateway refused requests with 429: too many.', throttledRequests(parts)),
      alarm(
        'CreatePlantThrottles',
        'Lambda had no concurrency left for createPlant.',
        ofFunction(createPlant, 'Throttles', 'Sum'),
      ),
      alarm(
        'AuthorizeThrottles',
        'Lambda had no concurrency left for the authorizer.',
        ofFunction(authorize, 'Throttles', 'Sum'),
      ),
      alarm(
        'PlantsTableThrottles',
        'DynamoDB throttled writes of plants.',
        ofTable(plants, 'WriteThrottleEvents'),
      ),
      alarm(
        'TokensTableThrottles',
        'DynamoDB throttled reads of tokens.',
        ofTable(tokens, 'ReadThrottleEvents'),
      ),
      alarm(
        'PlantsTableErrors',
        'DynamoDB itself failed to write plants.',
        ofTable(plants, 'SystemErrors', 'PutItem'),
      ),
      alarm(
        'TokensTableErrors',
        'DynamoDB itself failed to read tokens.',
        ofTable(tokens, 'SystemErrors', 'GetItem'),
      ),
    ];
  }
}
