import { describe, expect, test } from '@jest/globals';
import { stackTemplate } from './stack-template.ts';

const template = stackTemplate();

/** What a function may do, `action: logical id of the resource`. */
function permissions(functionId: string): string[] {
  const policies = template.findResources('AWS::IAM::Policy');
  return Object.entries(policies)
    .filter(([logicalId]) => logicalId.startsWith(functionId))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
    .flatMap(({ Action, Resource }: { Action: string | string[]; Resource: unknown }) =>
      [Action].flat().map((action) => `${action}: ${logicalIdIn(Resource)}`),
    );
}

function logicalIdIn(resource: unknown): string {
  const ids = JSON.stringify(resource).match(
    /(?:Plants|Tokens|CreatePlantLog|AuthorizeFunctionLog)(?=[0-9A-F]{8})/g,
  );
  return ids?.join() ?? JSON.stringify(resource);
}

describe('each function may do what it needs and nothing else', () => {
  test('createPlant: put an item into the plants table', () => {
    expect(permissions('CreatePlant').sort()).toEqual([
      'dynamodb:PutItem: Plants',
      'logs:CreateLogStream: CreatePlantLog',
      'logs:PutLogEvents: CreatePlantLog',
    ]);
  });

  test('authorize: get an item of the tokens table', () => {
    expect(permissions('AuthorizeFunction').sort()).toEqual([
      'dynamodb:GetItem: Tokens',
      'logs:CreateLogStream: AuthorizeFunctionLog',
      'logs:PutLogEvents: AuthorizeFunctionLog',
    ]);
  });

  test('no role has a managed policy, which would allow more', () => {
    for (const { Properties } of Object.values(template.findResources('AWS::IAM::Role'))) {
      expect(Properties).not.toHaveProperty('ManagedPolicyArns');
    }
  });
});

describe('each function', () => {
  test('has a log group of its own that does not last for ever', () => {
    const logGroups = template.findResources('AWS::Logs::LogGroup');
    for (const { Properties } of Object.values(template.findResources('AWS::Lambda::Function'))) {
      const logGroup = logGroups[Properties.LoggingConfig.LogGroup.Ref];
      expect(logGroup?.Properties.RetentionInDays).toBeGreaterThan(0);
    }
  });

  test('runs on arm64 and Node.js 24', () => {
    template.allResourcesProperties('AWS::Lambda::Function', {
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
    });
  });
});
