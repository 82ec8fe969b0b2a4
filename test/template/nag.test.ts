import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Stage } from 'aws-cdk-lib';
import { addNagChecks } from '../../lib/nag.ts';
import { OPTION_NAMES } from '../../lib/options.ts';
import type { Json } from '../support/template-resources.ts';
import { stackOf } from './stack-template.ts';

type Options = Partial<Record<(typeof OPTION_NAMES)[number], string>>;

const oidc = { oidcIssuer: 'https://id.example', oidcAudience: 'plant-store' };

/** Each option with and without a value, and all values of those that have few. */
const choices: readonly (readonly Options[])[] = [
  [{}, { authorizerCacheSeconds: '0' }],
  [{}, oidc, { ...oidc, oidcScope: 'plants:write' }],
];
const choicesOfProd: readonly (readonly Options[])[] = [
  ...choices,
  [{}, { alarmEmail: 'ops@example.com' }],
  [{ rollout: 'canary' }, { rollout: 'all-at-once' }],
];

const combinations = [
  ...product([[{ stage: 'dev' }, { stage: 'pr-12' }], ...choices]),
  ...product([[{ stage: 'prod' }], ...choicesOfProd]),
];

const outdir = mkdtempSync(join(tmpdir(), 'plant-store-nag-'));
afterAll(() => rmSync(outdir, { recursive: true }));

test('the combinations contain every option', () => {
  expect(new Set(combinations.flatMap(Object.keys))).toEqual(new Set(OPTION_NAMES));
});

describe.each(combinations)('cdk-nag, with the options %j', (options) => {
  const app = Stage.of(stackOf(options, mkdtempSync(join(outdir, 'app-'))));
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

function product(factors: readonly (readonly Options[])[]): readonly Options[] {
  return factors.reduce<readonly Options[]>(
    (all, factor) => all.flatMap((options) => factor.map((more) => ({ ...options, ...more }))),
    [{}],
  );
}
