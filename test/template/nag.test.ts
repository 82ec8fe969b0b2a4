import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { addNagChecks } from '../../lib/nag.ts';
import { type Json, synthesizedApp } from './synthesized.ts';

const outdir = mkdtempSync(join(tmpdir(), 'plant-store-nag-'));
afterAll(() => rmSync(outdir, { recursive: true }));

describe.each(['dev', 'prod'])('cdk-nag, for %s', (stage) => {
  const app = synthesizedApp({ stage }, join(outdir, stage));
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
    for (const { acknowledgedAt, reason } of acknowledged) {
      expect(acknowledgedAt.split('/').length).toBeGreaterThan(1);
      expect(reason.length).toBeGreaterThan(60);
    }
  });
});
