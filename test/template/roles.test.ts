import { describe, expect, test } from '@jest/globals';
import { listOperations } from '../../lib/operations.ts';
import { type TableSpec, tableSpecs } from '../../lib/tables.ts';
import { stackResources } from '../support/assembly/stack-template.ts';
import {
  type Json,
  ofType,
  type Resource,
  readable,
} from '../support/assembly/template-resources.ts';
import { everyOptionOfProd, key } from './option-combinations.ts';

const prod = stackResources({ stage: 'prod' });
const operations = listOperations();

const logsAndTraces = (functionId: string) => [
  `Allow logs:CreateLogStream, logs:PutLogEvents on ${functionId}Log.Arn`,
  'Allow xray:PutTelemetryRecords, xray:PutTraceSegments on *',
  'Used by lambda.amazonaws.com',
];

test('each function runs up to 10 seconds on Node.js 24 and arm64, is traced, and has a log of its own', () => {
  const functions = ofType(stackResources(), 'AWS::Lambda::Function');
  expect(functions).toHaveLength(operations.length + 1);
  for (const { logicalId, Properties } of functions) {
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      TracingConfig: { Mode: 'Active' },
      LoggingConfig: { LogFormat: 'JSON' },
      // The timeouts for DynamoDB requests depend on this timeout.
      Timeout: 10,
    });
    const log = readable(Properties.LoggingConfig.LogGroup);
    expect(log).toBe(`${readable({ Ref: logicalId })}Log`);
  }
});

test.each(operations)(
  'the role of $operationId allows only its actions on its tables and their indexes, its log and traces',
  ({ id, tables: used }) => {
    const ofTables = used.map(({ table, actions }) => {
      const { globalSecondaryIndexes = [] }: Partial<TableSpec> =
        tableSpecs.find(({ id }) => id === table) ?? {};
      const indexes = globalSecondaryIndexes.map(
        ({ indexName }) => `, ${table}.Arn/index/${indexName}`,
      );
      return `Allow ${actions.join(', ')} on ${table}.Arn${indexes.join('')}`;
    });
    expect(rightsOf(`${id}Role`, prod)).toEqual([...logsAndTraces(id), ...ofTables].sort());
  },
);

test('the role of the authorizer allows only to get tokens, its log and traces', () => {
  expect(rightsOf('AuthorizeFunctionRole', prod)).toEqual([
    'Allow dynamodb:GetItem on Tokens.Arn',
    ...logsAndTraces('AuthorizeFunction'),
  ]);
});

test('the role of the authorizer for an OpenID Connect provider allows only its log and traces', () => {
  expect(rightsOf('AuthorizeOidcFunctionRole', stackResources(everyOptionOfProd))).toEqual(
    logsAndTraces('AuthorizeOidcFunction'),
  );
});

test('API Gateway may write the logs of every API in the account', () => {
  expect(rightsOf('ApiRestApiCloudWatchRole', prod)).toEqual([
    'Used by apigateway.amazonaws.com',
    'arn:AWS::Partition:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs',
  ]);
});

describe.each([
  ...operations.map(({ id }) => ({ deployment: `Operations${id}`, target: id })),
  { deployment: 'OperationsAuthorize', target: 'AuthorizeFunction' },
])('to deploy $target,', ({ deployment, target }) => {
  test('the pre-traffic hook may only invoke the new version, report to its deployment group, log and trace', () => {
    const hook = `${deployment}PreTrafficHookFunction`;
    expect(rightsOf(`${hook}Role`, prod)).toEqual([
      `Allow codedeploy:PutLifecycleEventHookExecutionStatus on arn:AWS::Partition:codedeploy:AWS::Region:AWS::AccountId:deploymentgroup:${deployment}GroupApplication/${deployment}Group`,
      `Allow lambda:InvokeFunction on ${target}CurrentVersion`,
      ...logsAndTraces(hook),
    ]);
  });

  test('CodeDeploy may only update the alias, read alarms and invoke the hook', () => {
    expect(rightsOf(`${deployment}Role`, prod)).toEqual([
      'Allow cloudwatch:DescribeAlarms on *',
      `Allow lambda:GetAlias, lambda:GetProvisionedConcurrencyConfig, lambda:UpdateAlias on ${target}.Arn, ${target}.Arn:live`,
      `Allow lambda:InvokeFunction on ${deployment}PreTrafficHookFunction.Arn`,
      'Used by codedeploy.amazonaws.com',
    ]);
  });
});

test('the stack has only these roles: three for each function, and one for API Gateway', () => {
  expect(ofType(prod, 'AWS::IAM::Role')).toHaveLength(3 * (operations.length + 1) + 1);
});

test('with kmsKeyArn, each role that uses a table may also use the key, but only through DynamoDB', () => {
  const useOfKey = `Allow kms:Decrypt, kms:DescribeKey, kms:Encrypt, kms:GenerateDataKey, kms:GenerateDataKeyWithoutPlaintext, kms:ReEncryptFrom, kms:ReEncryptTo on ${key.kmsKeyArn} if the request comes through dynamodb.AWS::Region.amazonaws.com`;
  const withKey = stackResources(key);
  for (const { logicalId } of ofType(withKey, 'AWS::IAM::Role')) {
    const rights = rightsOf(readable({ Ref: logicalId }), withKey);
    const usesTable = rights.some((right) => right.includes('dynamodb:'));
    expect(rights.filter((right) => right.includes('kms:'))).toEqual(usesTable ? [useOfKey] : []);
  }
});

/** A role's service, and all its statements as readable text, in alphabetical order. */
function rightsOf(id: string, resources: readonly Resource[]): string[] {
  const roles = ofType(resources, 'AWS::IAM::Role');
  const role = roles.find(({ logicalId }) => readable({ Ref: logicalId }) === id);
  if (role === undefined) throw new Error(`the stack has no role ${id}`);
  const attached = [
    ...ofType(resources, 'AWS::IAM::Policy'),
    ...ofType(resources, 'AWS::IAM::ManagedPolicy'),
  ].filter(({ Properties }) => Properties.Roles?.some(({ Ref }: Json) => Ref === role.logicalId));
  const inline: Json[] = role.Properties.Policies ?? [];
  const policies = [...inline, ...attached.map(({ Properties }) => Properties)];
  return [
    ...policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement.map(described)),
    ...(role.Properties.ManagedPolicyArns ?? []).map(readable),
    `Used by ${role.Properties.AssumeRolePolicyDocument.Statement[0].Principal.Service}`,
  ].sort();
}

function described({ Effect, Action, Resource, Condition, ...rest }: Json): string {
  const service = Condition?.StringEquals['kms:ViaService'];
  const condition = service ? ` if the request comes through ${readable(service)}` : '';
  const others = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`;
  return `${Effect} ${[Action].flat().join(', ')} on ${[Resource].flat().map(readable).join(', ')}${condition}${others}`;
}
