import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import { Stage } from 'aws-cdk-lib';
import { addNagChecks } from '../../lib/nag.ts';
import { OPTION_NAMES } from '../../lib/options.ts';
import { cdkContexts, codeBlocks } from '../support/code-blocks.ts';
import type { Json } from '../support/template-resources.ts';
import { combinations } from './option-combinations.ts';
import { stackOf } from './stack-template.ts';

const [example] = codeBlocks('docs/operations.md').filter(({ language }) => language === 'json');
const { context: exampleOfCdkJson } = JSON.parse(example?.code ?? '{}');
const documented: readonly Record<string, unknown>[] = [
  ...cdkContexts,
  { ...exampleOfCdkJson, stage: 'dev' },
  { ...exampleOfCdkJson, stage: 'prod' },
];

// The CDK command prints it; it does not fail.
const warning = {
  ruleName: 'Annotation::plant-store:alarmEmail',
  description: expect.stringContaining('no email is sent when an alarm is raised; set it for the stage'),
  severity: 'warning',
};

const outdir = mkdtempSync(join(tmpdir(), 'plant-store-nag-'));
afterAll(() => rmSync(outdir, { recursive: true }));

test('the combinations contain every option, and the docs those that they describe', () => {
  expect(new Set(combinations.flatMap(Object.keys))).toEqual(new Set(OPTION_NAMES));
  expect(cdkContexts).toContainEqual({ stage: 'prod', rollout: 'all-at-once' });
  expect(exampleOfCdkJson).toHaveProperty('prod.alarmEmail');
});

const distinct = [...new Set([...combinations, ...documented].map((options) => JSON.stringify(options)))];

test.each(distinct)(
  'cdk-nag and the rules of CloudFormation find nothing that is not acknowledged with a reason, but that alarms would mail nobody, with the options %s',
  (text) => {
    const options: Record<string, unknown> = JSON.parse(text);
    const app = Stage.of(stackOf(options, { outdir: mkdtempSync(join(outdir, 'app-')) }));
    if (app === undefined) throw new Error('the stack is in no app');
    addNagChecks(app);
    // The CDK prints warnings.
    const print = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const { directory } = app.synth();
    print.mockRestore();
    const { pluginReports } = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8'));

    const packs = pluginReports.map(({ pluginName }: Json) => pluginName);
    expect(packs).toEqual(expect.arrayContaining(['AwsSolutions', 'Serverless']));
    const found = pluginReports.flatMap(({ violations }: Json) => violations);
    const hasAlarms = options.profile === 'prod' || ['prod', 'staging'].includes(String(options.stage));
    const mailsNobody = hasAlarms && !text.includes('"alarmEmail"');
    expect(found).toEqual(mailsNobody ? [expect.objectContaining(warning)] : []);

    const acknowledged: Json[] = pluginReports.flatMap((report: Json) => report.suppressedViolations ?? []);
    expect(acknowledged).not.toEqual([]);
    for (const { acknowledgedAt, reason } of acknowledged) {
      // Below the stack.
      expect(acknowledgedAt.split('/').length).toBeGreaterThan(1);
      expect(reason.length).toBeGreaterThan(60);
    }
  },
);
