import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { stageConfig } from '../../lib/config.ts';
import { OPTION_NAMES } from '../../lib/options.ts';
import { codeBlocks, documents, PROJECT } from '../support/code-blocks.ts';
import { combinations } from './option-combinations.ts';
import { addStack, appOf, checked } from './stack-template.ts';

const [example] = codeBlocks('docs/options.md').filter(({ language }) => language === 'json');
const { context: exampleOfCdkJson } = JSON.parse(example?.code ?? '{}');

/** The context that each `npx cdk` command in a Markdown page sets with `-c`, inside or outside a code block. */
const cdkContexts: readonly Readonly<Record<string, string>>[] = documents.flatMap((document) => {
  const text = readFileSync(join(PROJECT, document), 'utf8');
  return [...text.matchAll(/npx cdk (?:deploy|destroy|diff|synth)\b([^`#\n]*)/g)].map(([, words = '']) =>
    Object.fromEntries(
      [...words.matchAll(/ -c (\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
    ),
  );
});

// The cdk command prints this warning, but does not fail because of it.
const warning = {
  ruleName: 'Annotation::plant-store:alarmEmail',
  description: expect.stringContaining(
    'no email is sent when an alarm is raised; set alarmEmail for this stage',
  ),
  severity: 'warning',
};

test('the tested combinations contain every option, and the docs use only options that exist', () => {
  expect(new Set(combinations.flatMap(Object.keys))).toEqual(new Set(OPTION_NAMES));
  expect(cdkContexts).toContainEqual({ stage: 'prod', rollout: 'all-at-once' });
  expect(exampleOfCdkJson).toHaveProperty('prod.alarmEmail');
  const ofExample = ['dev', 'prod'].map((stage) => ({ ...exampleOfCdkJson, stage }));
  for (const context of [...cdkContexts, ...ofExample]) stageConfig(appOf(context).node);
});

test.each(combinations)(
  'cdk-nag and CloudFormation’s rules report no unacknowledged findings, except for a missing alarmEmail, with the options %j',
  (options) => {
    const { packs, violations, acknowledged } = checked(options, addStack);
    expect(packs).toEqual(expect.arrayContaining(['AwsSolutions', 'Serverless']));
    const hasAlarms = options.profile === 'prod' || options.stage === 'prod';
    const sendsNoEmail = hasAlarms && options.alarmEmail === undefined;
    expect(violations).toEqual(sendsNoEmail ? [expect.objectContaining(warning)] : []);

    expect(acknowledged).not.toEqual([]);
    for (const { acknowledgedAt, reason } of acknowledged) {
      // Each finding is acknowledged at a construct in the stack, not for the whole stack.
      expect(acknowledgedAt.split('/').length).toBeGreaterThan(1);
      expect(reason.length).toBeGreaterThan(60);
    }
  },
);
