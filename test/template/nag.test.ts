import { expect, test } from '@jest/globals';
import { stageConfig } from '../../lib/config.ts';
import { OPTION_NAMES } from '../../lib/options.ts';
import { cdkContexts, codeBlocks } from '../support/code-blocks.ts';
import { combinations } from './option-combinations.ts';
import { addStack, appOf, checked } from './stack-template.ts';

const [example] = codeBlocks('docs/operations.md').filter(({ language }) => language === 'json');
const { context: exampleOfCdkJson } = JSON.parse(example?.code ?? '{}');

// The CDK command prints this warning, but does not fail.
const warning = {
  ruleName: 'Annotation::plant-store:alarmEmail',
  description: expect.stringContaining('no email is sent when an alarm is raised; set it for the stage'),
  severity: 'warning',
};

test('the combinations contain every option, and the docs contain only options that exist', () => {
  expect(new Set(combinations.flatMap(Object.keys))).toEqual(new Set(OPTION_NAMES));
  expect(cdkContexts).toContainEqual({ stage: 'prod', rollout: 'all-at-once' });
  expect(exampleOfCdkJson).toHaveProperty('prod.alarmEmail');
  const ofExample = ['dev', 'prod'].map((stage) => ({ ...exampleOfCdkJson, stage }));
  for (const context of [...cdkContexts, ...ofExample]) stageConfig(appOf(context).node);
});

test.each(combinations)(
  'cdk-nag and the CloudFormation rules find nothing unacknowledged, except a missing alarmEmail, with the options %j',
  (options) => {
    const { packs, violations, acknowledged } = checked(options, addStack);
    expect(packs).toEqual(expect.arrayContaining(['AwsSolutions', 'Serverless']));
    const hasAlarms = options.profile === 'prod' || options.stage === 'prod';
    const sendsNoEmail = hasAlarms && options.alarmEmail === undefined;
    expect(violations).toEqual(sendsNoEmail ? [expect.objectContaining(warning)] : []);

    expect(acknowledged).not.toEqual([]);
    for (const { acknowledgedAt, reason } of acknowledged) {
      // The path below the stack.
      expect(acknowledgedAt.split('/').length).toBeGreaterThan(1);
      expect(reason.length).toBeGreaterThan(60);
    }
  },
);
