import { expect, test } from '@jest/globals';
import { changedAssembly } from '../../../test/support/changed-assembly.ts';
import { startService } from '../../../test/support/service.ts';
import { subjects } from '../rows/index.ts';
import { runRows } from '../run.ts';

/** Excludes the rows with large bodies, which take seconds. */
const rows = subjects
  .flatMap((subject) => subject.rows)
  .filter(({ request }) => (request.body ?? '').length < 100_000);

test('reports exactly the rows that differ, given a stack whose 401 has no WWW-Authenticate and whose unknown routes return 403', async () => {
  const assembly = await changedAssembly((find) => {
    for (const { Properties } of find('AWS::ApiGateway::GatewayResponse')) {
      if (Properties.StatusCode === '401') delete Properties.ResponseParameters;
      if (Properties.StatusCode === '404') Properties.StatusCode = '403';
    }
  });
  const service = await startService({ assembly: assembly.folder });
  const baseUrl = new URL(service.emulator.url);
  const { signal } = new AbortController();
  const results = await runRows(rows, { baseUrl, token: service.token, signal });
  await service.stop();
  await assembly.remove();

  const expected = rows.filter((row) => [2401, 2404].includes(row.expected?.error ?? 0));
  expect(expected.length).toBeGreaterThan(10);
  expect(results.filter(({ verdict }) => verdict === 'differs').map(({ row }) => row)).toEqual(expected);
}, 60_000);
