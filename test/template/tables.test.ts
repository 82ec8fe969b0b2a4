import { expect, test } from '@jest/globals';
import { ofType, stackResources } from '../support/template-resources.ts';

test.each(['dev', 'prod'])('every table of %s is on demand, encrypted and recoverable', (stage) => {
  const tables = ofType(stackResources({ stage }), 'AWS::DynamoDB::GlobalTable');
  expect(tables).toHaveLength(2);
  for (const { Properties } of tables) {
    expect(Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      SSESpecification: { SSEEnabled: true },
      Replicas: [{ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }],
    });
  }
});

test('the tokens table has a TTL attribute', () => {
  const tables = ofType(stackResources(), 'AWS::DynamoDB::GlobalTable');
  const tokens = tables.find(({ path }) => path === 'Tokens/Resource');
  expect(tokens?.Properties.TimeToLiveSpecification).toEqual({ AttributeName: 'expiresAt', Enabled: true });
});
