import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Stage } from 'aws-cdk-lib';
import { addNagChecks } from '../../lib/nag.ts';
import type { OPTION_NAMES } from '../../lib/options.ts';
import type { Json } from '../support/template-resources.ts';
import { stackOf } from './stack-template.ts';

const outdir = mkdtempSync(join(tmpdir(), 'plant-store-nag-'));
afterAll(() => rmSync(outdir, { recursive: true }));

const everyOption = {
  stage: 'prod',
  rollout: 'canary',
  alarmEmail: 'ops@example.com',
  oidcIssuer: 'https://id.example',
  oidcAudience: 'plant-store',
  oidcScope: 'plants:write',
  authorizerCacheSeconds: '300',
} satisfies Record<(typeof OPTION_NAMES)[number], string>;

describe.each([
  ['dev', {}],
  ['prod', { stage: 'prod' }],
  ['prod with every option', everyOption],
])('cdk-nag, for %s', (name, options) => {
  const app = Stage.of(stackOf(options, join(outdir, name)));
  if (app === undefined) throw new Error('the stack is in no app');
  addNagChecks(app);
  const { directory } = app.synth();
  const { pluginReports } = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8'));
  const acknowledged: Json[] = pluginReports.flatMap((report: Json) => report.suppressedViolations ?? []);

  test('runs both packs and finds no violation', () => {
    const packs = pluginReports.map(({ pluginName }: Json) => pluginName);
    expect(packs).toEqual(expect.arrayContaining(['AwsSolutions', 'Serverless']));
    expect(pluginReports.flatMap(({ violations }: Json) => violations)).toEqual([]);
  });

  test('has each exception acknowledged below the stack, with a reason', () => {
    expect(acknowledged).not.toEqual([]);
    for (const { acknowledgedAt, reason } of acknowledged) {
      expect(acknowledgedAt.split('/').length).toBeGreaterThan(1);
      expect(reason.length).toBeGreaterThan(60);
    }
  });
});
