import { expect, test } from '@jest/globals';
import { tables as TABLES } from '../../lib/tables.ts';
import { ofType, stackResources } from '../support/template-resources.ts';

test.each(['dev', 'prod'])(
  'every table of %s is on demand, encrypted and recoverable, and protected in prod',
  (stage) => {
    const tables = ofType(stackResources({ stage }), 'AWS::DynamoDB::GlobalTable');
    expect(tables).toHaveLength(TABLES.length);
    for (const { Properties, DeletionPolicy } of tables) {
      expect(DeletionPolicy).toBe(stage === 'prod' ? 'Retain' : 'Delete');
      expect(Properties).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        SSESpecification: { SSEEnabled: true },
        Replicas: [
          {
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
            DeletionProtectionEnabled: stage === 'prod',
          },
        ],
      });
    }
  },
);

test('the tokens table has a TTL attribute', () => {
  const tables = ofType(stackResources(), 'AWS::DynamoDB::GlobalTable');
  const tokens = tables.find(({ path }) => path === 'Tokens/Resource');
  expect(tokens?.Properties.TimeToLiveSpecification).toEqual({ AttributeName: 'expiresAt', Enabled: true });
});
