import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  AUTHORIZER,
  authorizerLog,
  METRIC_UNITS,
  METRICS_NAMESPACE,
  requestLog,
} from '../../../../../lambda/shared/log/request-log.ts';

const lines: string[] = [];
beforeEach(() => {
  lines.length = 0;
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
});
afterEach(() => {
  jest.restoreAllMocks();
  delete process.env._X_AMZN_TRACE_ID;
});

const written = () => lines.map((line) => JSON.parse(line));

describe('requestLog, given a summary,', () => {
  test('writes one line in the embedded metric format of CloudWatch', () => {
    jest.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000);
    const log = requestLog('note', 'dev');
    const metrics = { ClientErrors: 1, Faults: 0, Duration: 1.5, PutLatency: undefined };
    log.summary({ facts: { requestId: 'one', client: undefined }, code: 1004, metrics });
    log.summary({
      facts: { requestId: 'two' },
      metrics: { NotesRead: 1, AllowedRequests: 1, PutLatency: 2.5 },
    });
    const ofStage = {
      Namespace: METRICS_NAMESPACE,
      Dimensions: [['stage']],
      Metrics: [{ Name: 'Faults', Unit: METRIC_UNITS.Faults }],
    };
    expect(written()).toEqual([
      {
        service: 'note',
        stage: 'dev',
        requestId: 'one',
        coldStart: 'true',
        error: '1004',
        ClientErrors: 1,
        Faults: 0,
        Duration: 1.5,
        _aws: {
          Timestamp: 1_800_000_000_000,
          CloudWatchMetrics: [
            {
              Namespace: 'PlantStore',
              Dimensions: [
                ['service', 'stage'],
                ['service', 'stage', 'error'],
              ],
              Metrics: [
                { Name: 'ClientErrors', Unit: 'Count' },
                { Name: 'Faults', Unit: 'Count' },
                { Name: 'Duration', Unit: 'Milliseconds' },
              ],
            },
            ofStage,
          ],
        },
      },
      {
        service: 'note',
        stage: 'dev',
        requestId: 'two',
        coldStart: 'false',
        NotesRead: 1,
        AllowedRequests: 1,
        PutLatency: 2.5,
        _aws: {
          Timestamp: 1_800_000_000_000,
          CloudWatchMetrics: [
            {
              Namespace: 'PlantStore',
              Dimensions: [['service', 'stage']],
              Metrics: [
                { Name: 'NotesRead', Unit: 'Count' },
                { Name: 'AllowedRequests', Unit: 'Count' },
                { Name: 'PutLatency', Unit: 'Milliseconds' },
              ],
            },
            ofStage,
          ],
        },
      },
    ]);
  });

  test('does not count a fault of an authorizer as a fault of the stage', () => {
    authorizerLog('dev').summary({ facts: {}, metrics: { Faults: 1 } });
    const [{ service, _aws }] = written();
    expect(service).toBe('authorize');
    expect(_aws.CloudWatchMetrics).toMatchObject([{ Dimensions: [['service', 'stage']] }]);
  });
});

describe('requestLog, given a fault,', () => {
  test.each([
    [
      new Error('outer', { cause: new TypeError('inner') }),
      { name: 'Error', message: 'outer', cause: { name: 'TypeError', message: 'inner' } },
    ],
    [new RangeError('alone'), { name: 'RangeError', message: 'alone' }],
    ['a secret', { message: 'string was thrown' }],
  ])('writes a separate line that describes the thrown value %p', (thrown, described) => {
    requestLog(AUTHORIZER, 'dev').fault('request', 2500, thrown);
    expect(lines).toEqual([expect.stringMatching(/\n$/)]);
    const [line] = written();
    const facts = { level: 'ERROR', service: 'authorize', stage: 'dev', requestId: 'request' };
    expect(line).toMatchObject({ ...facts, error: 2500, ...described });
    expect(Date.parse(line.timestamp)).toBeGreaterThan(0);
    expect('cause' in line).toBe('cause' in described);
  });
});

test('requestLog writes the X-Ray trace id of each invocation to both the summary line and the fault line', () => {
  const log = requestLog(AUTHORIZER, 'dev');
  for (const variable of [undefined, 'Root=1-5759e988-bd86;Sampled=1', 'Sampled=0;Root=1-2', '']) {
    if (variable !== undefined) process.env._X_AMZN_TRACE_ID = variable;
    log.summary({ facts: {}, metrics: { Faults: 1 } });
    log.fault('request', 2500, new Error('gone'));
  }
  const traceIds = lines.map((line) => JSON.parse(line).traceId ?? 'none');
  expect(traceIds.join(' ')).toBe('none none 1-5759e988-bd86 1-5759e988-bd86 1-2 1-2 none none');
});
