import { expect, test } from '@jest/globals';
import { METRIC_UNITS } from '../../lambda/shared/log/request-log.ts';
import { listOperations } from '../../lib/operations.ts';
import { stackResources } from '../support/assembly/stack-template.ts';
import { type Json, ofType, readable } from '../support/assembly/template-resources.ts';

test('the dashboard shows only custom metrics that the functions log or the access log counts', () => {
  const operations = listOperations();
  const [dashboard] = ofType(stackResources({ stage: 'prod' }), 'AWS::CloudWatch::Dashboard');
  const { widgets } = JSON.parse(readable(dashboard?.Properties.DashboardBody));
  const rows: Json[][] = widgets.flatMap(({ properties }: Json) => properties.metrics ?? []);
  const shown = rows
    .map((row) => row.filter((part) => typeof part === 'string').join(' '))
    .filter((metric) => metric.startsWith('PlantStore '));

  const names = [
    ...Object.keys(METRIC_UNITS),
    ...operations.flatMap(({ outcomes }) => outcomes.map(({ metric }) => metric)),
  ];
  const services = ['authorize', ...operations.map(({ functionName }) => functionName)];
  const ofFunctions = `(${names.join('|')}) (error \\d{4} )?service (${services.join('|')})`;
  const known = new RegExp(
    `^PlantStore (${ofFunctions}|Faults|Throttled|RejectedCredentials) stage prod$`,
  );
  for (const metric of shown) expect(metric).toMatch(known);
  expect(shown).toContain('PlantStore Faults service authorize stage prod');
});
