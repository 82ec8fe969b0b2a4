import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Stage } from 'aws-cdk-lib';
import { addNagChecks } from '../../lib/nag.ts';
import type { Json } from '../support/template-resources.ts';
import { stackOf } from './stack-template.ts';

const outdir = mkdtempSync(join(tmpdir(), 'plant-store-nag-'));
afterAll(() => rmSync(outdir, { recursive: true }));

describe.each(['dev', 'prod'])('cdk-nag, for %s', (stage) => {
  const app = Stage.of(stackOf({ stage }, join(outdir, stage)));
  if (app === undefined) throw new Error('the stack is in no app');
  addNagChecks(app);
  const { directory } = app.synth();
  const { pluginReports } = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8'));
  const acknowledged: Json[] = pluginReports.flatMap((report: Json) => report.suppressedViolations ?? []);

  test('runs both packs and finds nothing', () => {
    const packs = pluginReports.map(({ pluginName }: Json) => pluginName);
    expect(packs).toEqual(expect.arrayContaining(['AwsSolutions', 'Serverless']));
    expect(pluginReports.flatMap(({ violations }: Json) => violations)).toEqual([]);
  });

  test('is told of each exception at the very construct, with a reason', () => {
    expect(acknowledged).not.toEqual([]);
    for (const { acknowledgedAt, reason } of acknowledged) {
      expect(acknowledgedAt.split('/').length).toBeGreaterThan(1);
      expect(reason.length).toBeGreaterThan(60);
    }
  });
});
