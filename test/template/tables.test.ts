import { describe, test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { stackTemplate } from './stack-template.ts';

const templates = { dev: stackTemplate(), prod: stackTemplate({ stage: 'prod' }) };

describe.each(['dev', 'prod'] as const)('in %s,', (stage) => {
  const template = templates[stage];
  const kept = stage === 'prod';

  test('every table is on demand, encrypted, recoverable, and protected as configured for the stage', () => {
    template.allResources('AWS::DynamoDB::GlobalTable', {
      Properties: Match.objectLike({
        BillingMode: 'PAY_PER_REQUEST',
        SSESpecification: Match.objectLike({ SSEEnabled: true }),
        Replicas: [
          Match.objectLike({
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
            DeletionProtectionEnabled: kept,
          }),
        ],
      }),
      DeletionPolicy: kept ? 'Retain' : 'Delete',
    });
  });

  test('the tokens table has a TTL attribute', () => {
    template.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    });
  });
});
