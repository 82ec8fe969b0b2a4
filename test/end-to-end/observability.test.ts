import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type ErrorSpec, operationErrors } from '../../lambda/shared/errors.ts';
import { METRICS_NAMESPACE } from '../../lambda/shared/log/request-log.ts';
import { operations } from '../../lib/operations.ts';
import { tokenStore } from '../../tools/tokens/token-store.ts';
import { issueToken } from '../../tools/tokens/tokens.ts';
import { changedAssembly, setEnvironment } from '../support/assembly/changed-assembly.ts';
import {
  type Json,
  ofType,
  type Resource,
  readable,
  resourcesOf,
} from '../support/assembly/template-resources.ts';
import { exampleBody, exampleStatus } from '../support/service/contract.ts';
import { exampleOperation } from '../support/service/example-operation.ts';
import { startProxiedService } from '../support/service/proxied-service.ts';
import type { Service } from '../support/service/service.ts';

const { unsupportedMediaType, notJson, invalidBody, tooLarge } = operationErrors;
const sharedErrors: readonly ErrorSpec[] = [unsupportedMediaType, notJson, invalidBody, tooLarge];

/** A bug in the function: checking one media type throws. */
const BUG = `const { test } = RegExp.prototype;
RegExp.prototype.test = function (text) {
  if (text === 'application/json; bug') throw new TypeError('an internal detail');
  return test.call(this, text);
};`;

/** The status of each response, in order, followed by its error code, if any. */
const responses: string[] = [];
let resources: readonly Resource[];
/** Everything that the emulator and the functions logged. */
let log: string;
let secrets: string[];
let summaries: Json[];

/** Starts the prod stage and sends requests that produce every outcome of its functions. */
beforeAll(async () => {
  const { folder, template, remove } = await changedAssembly(
    (find, assembly) => {
      const bug = join(assembly, 'bug.cjs');
      writeFileSync(bug, BUG);
      setEnvironment(find, exampleOperation.id, { NODE_OPTIONS: `--require ${bug}` });
    },
    { stage: 'prod' },
  );
  const service = await startProxiedService(folder);
  try {
    const good = { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' };
    const unknown = service.token.replace(/_[0-9a-f]{16}_/, '_0000000000000000_');
    const uncached = await anotherToken(service);
    const send = async (body: string, headers = {}) => {
      const response = await service.send({ body, headers: { ...good, ...headers } });
      responses.push([response.status, response.body.error].join(' ').trim());
    };

    await send(exampleBody);
    await send('confidential text', { 'Content-Type': 'text/plain' });
    await send('confidential text');
    await send('["confidential text"]');
    await send(`{"unknown":"${'confidential '.repeat(200_000)}"}`);
    await send('confidential '.repeat(400_000));
    await send('"confidential text"', { 'Content-Type': 'application/json; bug' });
    await send(exampleBody, { Authorization: `Bearer ${unknown}` });
    service.proxy.decide = () => 'reset before it was applied';
    await send(exampleBody);
    await send(exampleBody, { Authorization: `Bearer ${uncached}` });

    resources = resourcesOf(template);
    log = service.log.join('\n');
    secrets = [service.token, unknown, uncached].map((token) => token.slice(-64));
  } finally {
    await service.stop();
    await remove();
  }
  // Only the functions' lines are JSON.
  const lines = log.split('\n').filter((line) => line.startsWith('{'));
  summaries = lines.map((line) => JSON.parse(line)).filter((line) => line._aws);
});

test('the requests in this suite cover every outcome of the functions, and an event larger than 6 MB', () => {
  expect(responses).toEqual([
    ...[`${exampleStatus}`, '400 1000', '400 1001', '400 1002', '400 1003', '413 2413'],
    ...['400 1599', '401 2401', '400 1500', '500 2500'],
  ]);
});

describe('the functions', () => {
  test('log each request as one line with its outcome', () => {
    const outcomes = (service: string) =>
      summaries
        .filter((line) => line.service === service)
        .map(({ outcome, error = '' }) => `${outcome} ${error}`.trim());

    expect(outcomes(exampleOperation.functionName)).toEqual([
      ...[expect.any(String), 'rejected 1000', 'rejected 1001', 'rejected 1002', 'rejected 1003'],
      ...['fault 1599', 'fault 1500'],
    ]);
    expect(outcomes('authorize')).toEqual(['allowed', 'rejected 2401', 'fault 2500']);
  });
});

test('the functions never log a token, a body or an item', () => {
  const values = exampleBody.match(/"[^"]+"(?=[,}\]])/g) ?? [];
  for (const text of ['confidential', ...values, ...secrets]) expect(log).not.toContain(text);
});

test('the functions emit every custom metric that alarms and widgets use, except those of one operation alone', () => {
  // test/template/api.test.ts covers the metrics that CloudWatch extracts from the access log.
  const emitted = [...emittedMetrics(), 'Throttled stage=prod', 'RejectedCredentials stage=prod'];
  const others = operations.filter((each) => each !== exampleOperation);
  const own = exampleOperation.clientErrors.filter((error) => !sharedErrors.includes(error));
  const notShared = [
    ...others.map(({ functionName }) => `service=${functionName} `),
    ...own.map(({ code }) => `error=${code} `),
    ...exampleOperation.outcomes.map(({ metric }) => `${metric} `),
  ];
  const watched = watchedMetrics().filter(
    (metric) => !notShared.some((part) => metric.includes(part)),
  );
  expect(watched.filter((metric) => !emitted.includes(metric))).toEqual([]);
  expect(watched).toContain(
    `ClientErrors error=1002 service=${exampleOperation.functionName} stage=prod`,
  );
  expect(watched).toContain('Faults service=authorize stage=prod');
});

/** Issues a token for which API Gateway has no cached result. */
async function anotherToken({ dynamodb, emulator }: Service): Promise<string> {
  const store = tokenStore(dynamodb, emulator.outputs.TokensTableName ?? '');
  return (await issueToken(store, { name: 'another' })).text;
}

/** Returns the custom metrics that CloudWatch extracts from lines in the embedded metric format. */
function emittedMetrics(): string[] {
  const sets = summaries.flatMap((line) =>
    line._aws.CloudWatchMetrics.map((set: Json) => ({ line, set })),
  );
  return sets.flatMap(({ line, set: { Namespace, Dimensions, Metrics } }) =>
    Dimensions.flatMap((keys: string[]) =>
      Metrics.flatMap(({ Name }: Json) =>
        identity([Namespace, Name, ...keys.flatMap((key) => [key, line[key]])]),
      ),
    ),
  );
}

/** Returns the custom metrics that alarms and the dashboard use. */
function watchedMetrics(): string[] {
  const ofAlarms = ofType(resources, 'AWS::CloudWatch::Alarm').flatMap(
    ({ Properties: { Metrics = [] } }) =>
      Metrics.filter(({ MetricStat }: Json) => MetricStat).map(
        ({ MetricStat: { Metric } }: Json) => {
          const dimensions = Metric.Dimensions.flatMap(({ Name, Value }: Json) => [
            Name,
            readable(Value),
          ]);
          return [Metric.Namespace, Metric.MetricName, ...dimensions];
        },
      ),
  );
  const ofWidgets = ofType(resources, 'AWS::CloudWatch::Dashboard').flatMap(({ Properties }) =>
    JSON.parse(readable(Properties.DashboardBody)).widgets.flatMap(({ properties }: Json) =>
      (properties.metrics ?? []).map((row: Json[]) =>
        row.filter((entry) => typeof entry === 'string'),
      ),
    ),
  );
  return [...ofAlarms, ...ofWidgets].flatMap(identity);
}

/** Returns a custom metric's identity, such as `Faults service=authorize stage=prod`; undefined for AWS's metrics. */
function identity([namespace, name, ...dimensions]: readonly string[]): string[] {
  if (namespace !== METRICS_NAMESPACE) return [];
  const keys = dimensions.filter((_, index) => index % 2 === 0);
  const pairs = keys.map((key, index) => `${key}=${dimensions[2 * index + 1]}`);
  return [[name, ...pairs.sort()].join(' ')];
}
