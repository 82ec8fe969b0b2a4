import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ofType, readable, stackResources } from '../support/template-resources.ts';

const resources = stackResources({ stage: 'prod' });
const alarms = ofType(resources, 'AWS::CloudWatch::Alarm');
const runbook = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');

describe('each alarm', () => {
  test.each(alarms.map(({ path, Properties }) => [path.split('/').at(-2) ?? path, Properties]))(
    '%s has a description and a runbook entry',
    (name, { AlarmDescription }) => {
      expect(AlarmDescription).toMatch(/^.{20,} Runbook: docs\/operations\.md#/);
      expect(AlarmDescription.split('#')[1]).toBe(name.toLowerCase());

      const entry = runbook.split(/^### /m).find((section) => section.startsWith(`${name}\n`)) ?? '';
      for (const part of ['**Means**', '**See**', '**Do**']) expect(entry).toContain(part);
    },
  );

  test('notifies the topic on ALARM and OK', () => {
    const [topic] = ofType(resources, 'AWS::SNS::Topic');
    for (const { Properties } of alarms) {
      expect(Properties.AlarmActions).toEqual([{ Ref: topic?.logicalId }]);
      expect(Properties.OKActions).toEqual([{ Ref: topic?.logicalId }]);
    }
  });

  test('treats missing data as no breach, so that a minute without requests raises none', () => {
    for (const { Properties } of alarms) expect(Properties.TreatMissingData).toBe('notBreaching');
  });
});

test('every runbook entry describes an existing alarm', () => {
  const [, entries = ''] = runbook.split(/^## Runbook$/m);
  const described = [...entries.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
  expect(described.sort()).toEqual(alarms.map(({ path }) => path.split('/').at(-2)).sort());
});

test('the topic policy allows alarms of the account to publish', () => {
  const [policy] = ofType(resources, 'AWS::SNS::TopicPolicy');
  const allowed = policy?.Properties.PolicyDocument.Statement.filter(
    ({ Effect }: { Effect: string }) => Effect === 'Allow',
  );
  expect(allowed).toEqual([
    expect.objectContaining({
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Action: 'sns:Publish',
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    }),
  ]);
});

test('alarms watch the tables, functions and API of the stack', () => {
  const watched = alarms.flatMap(({ Properties }) =>
    (Properties.Dimensions ?? []).map(
      ({ Name, Value }: { Name: string; Value: unknown }) => `${Name} ${readable(Value)}`,
    ),
  );
  const [api] = ofType(resources, 'AWS::ApiGateway::RestApi');
  const [stage] = ofType(resources, 'AWS::ApiGateway::Stage');
  expect([...new Set(watched)].sort()).toEqual(
    [
      `ApiName ${readable(api?.Properties.Name)}`,
      `Stage ${stage?.Properties.StageName}`,
      'FunctionName AuthorizeFunction',
      'FunctionName CreatePlant',
      'Operation GetItem',
      'Operation PutItem',
      'Resource AuthorizeFunction:live',
      'Resource CreatePlant:live',
      'TableName Plants',
      'TableName Tokens',
      'service authorize',
      'service create-plant',
      'stage prod',
    ].sort(),
  );
});
