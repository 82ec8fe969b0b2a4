import { describe, expect, test } from '@jest/globals';
import { BUNDLES_FOLDER } from '../../lib/names.ts';
import { stackTemplate } from './stack-template.ts';

const template = stackTemplate();

describe('each function', () => {
  test('logs JSON to its own log group, which expires', () => {
    const logGroups = template.findResources('AWS::Logs::LogGroup');
    for (const { Properties } of Object.values(template.findResources('AWS::Lambda::Function'))) {
      const logGroup = logGroups[Properties.LoggingConfig.LogGroup.Ref];
      expect(logGroup?.Properties.RetentionInDays).toBeGreaterThan(0);
      expect(Properties.LoggingConfig.LogFormat).toBe('JSON');
    }
  });

  test('runs on arm64 and Node.js 24 with tracing', () => {
    template.allResourcesProperties('AWS::Lambda::Function', {
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      TracingConfig: { Mode: 'Active' },
    });
    template.allResourcesProperties('AWS::ApiGateway::Stage', { TracingEnabled: true });
  });

  test('has the ten-second timeout that the DynamoDB timeouts are tuned for', () => {
    template.allResourcesProperties('AWS::Lambda::Function', { Timeout: 10 });
  });
});

test('a function that npm start has not built, because it is new, asks for a restart', () => {
  expect(() => stackTemplate({ [BUNDLES_FOLDER]: '/nowhere' })).toThrow(
    'create-plant is a new function: restart npm start',
  );
});

describe('the access log', () => {
  const [stage] = Object.values(template.findResources('AWS::ApiGateway::Stage'));
  const line = JSON.parse(stage?.Properties.AccessLogSetting.Format);

  test('is JSON and records the client, the result and the layer that failed', () => {
    expect(line).toMatchObject({
      requestId: '$context.requestId',
      status: '$context.status',
      principal: '$context.authorizer.principalId',
      client: '$context.authorizer.client',
      authorizerError: '$context.authorizer.error',
      authorizerRequestId: '$context.authorizer.requestId',
      integrationError: '$context.integration.error',
      gatewayErrorType: '$context.error.responseType',
    });
  });

  test('has no client-controlled text and no credentials', () => {
    expect(JSON.stringify(line)).not.toMatch(
      /\$context\.(path|identity\.userAgent|identity\.apiKey|error\.message)|header/i,
    );
  });
});
