import { beforeAll, describe, expect, test } from '@jest/globals';
import { changedAssembly } from '../../../test/support/changed-assembly.ts';
import { startService } from '../../../test/support/service.ts';
import { subjects } from '../rows/index.ts';
import { type Result, runRows, type Verdict } from '../run.ts';

/** Excludes the rows with large bodies, which take seconds. */
const rows = subjects
  .flatMap((subject) => subject.rows)
  .filter(({ request }) => (request.body ?? '').length < 100_000);

describe('given a stack whose 401 has no WWW-Authenticate and whose unknown routes return 403, the comparison reports', () => {
  let results: readonly Result[];
  beforeAll(async () => {
    const assembly = await changedAssembly((find) => {
      for (const { Properties } of find('AWS::ApiGateway::GatewayResponse')) {
        if (Properties.StatusCode === '401') delete Properties.ResponseParameters;
        if (Properties.StatusCode === '404') Properties.StatusCode = '403';
      }
    });
    const service = await startService({ assembly: assembly.folder });
    const baseUrl = new URL(service.emulator.url);
    const { signal } = new AbortController();
    results = await runRows({ baseUrl, token: service.token, rows, signal });
    await service.stop();
    await assembly.remove();
  }, 60_000);

  const namesOf = (verdict: Verdict) =>
    results.filter((result) => result.verdict === verdict).map(({ name }) => name);

  test('exactly the rows that differ', () => {
    const expected = rows.filter(
      (row) => 'expected' in row && [2401, 2404].includes(row.expected.error ?? 0),
    );
    expect(expected.length).toBeGreaterThan(10);
    expect(namesOf('differs')).toEqual(expected.map(({ name }) => name));
  });

  test('an unlisted response to an open question as unforeseen', () => {
    expect(namesOf('unforeseen')).toContain('GET /plants with a token');
  });
});
