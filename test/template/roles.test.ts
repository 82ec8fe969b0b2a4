import { describe, expect, test } from '@jest/globals';
import { operations } from '../../lib/operations.ts';
import { tables } from '../../lib/tables.ts';
import {
  type Json,
  ofType,
  type Resource,
  readable,
  stackResources,
} from '../support/assembly/template-resources.ts';
import { key } from './option-combinations.ts';

const logsAndTraces = (functionId: string) => [
  `Allow logs:CreateLogStream, logs:PutLogEvents on ${functionId}Log.Arn`,
  'Allow xray:PutTelemetryRecords, xray:PutTraceSegments on *',
];
const TABLE_IDS = Object.fromEntries(tables.map(({ name, id }) => [name, id]));
const ofOperations = Object.fromEntries(
  operations.map(({ id, tables }) => [
    `${id}Role`,
    [
      ...logsAndTraces(id),
      ...tables.map(
        ({ table, actions }) => `Allow ${actions.join(', ')} on ${TABLE_IDS[table]}.Arn`,
      ),
    ],
  ]),
);
const ofApi = {
  // API Gateway uses this role to write the logs of every API in the account.
  ApiRestApiCloudWatchRole: [
    'arn:AWS::Partition:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs',
  ],
};
const ofFunctions = {
  ...ofOperations,
  ...ofApi,
  AuthorizeFunctionRole: [
    ...logsAndTraces('AuthorizeFunction'),
    'Allow dynamodb:GetItem on Tokens.Arn',
  ],
};

const useOfKey = `Allow kms:Decrypt, kms:DescribeKey, kms:Encrypt, kms:GenerateDataKey, kms:GenerateDataKeyWithoutPlaintext, kms:ReEncryptFrom, kms:ReEncryptTo on ${key.kmsKeyArn} if the request comes through dynamodb.AWS::Region.amazonaws.com`;
const withKey = (rolesOf: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(
    Object.entries(rolesOf).map(([id, rights]) => [
      id,
      rights.some((right) => right.includes('dynamodb:')) ? [...rights, useOfKey] : rights,
    ]),
  );

const shift = 'Allow lambda:GetAlias, lambda:GetProvisionedConcurrencyConfig, lambda:UpdateAlias';
const alarms = 'Allow cloudwatch:DescribeAlarms on *';
const invoke = 'Allow lambda:InvokeFunction';
const ofHook = (deployment: string, version: string) => [
  ...logsAndTraces(`Operations${deployment}PreTrafficHookFunction`),
  `${invoke} on ${version}`,
  `Allow codedeploy:PutLifecycleEventHookExecutionStatus on arn:AWS::Partition:codedeploy:AWS::Region:AWS::AccountId:deploymentgroup:Operations${deployment}GroupApplication/Operations${deployment}Group`,
];
const ofDeployment = (deployment: string, functionId: string) => ({
  [`Operations${deployment}PreTrafficHookFunctionRole`]: ofHook(
    deployment,
    `${functionId}CurrentVersion`,
  ),
  [`Operations${deployment}Role`]: [
    `${shift} on ${functionId}.Arn, ${functionId}.Arn:live`,
    alarms,
    `${invoke} on Operations${deployment}PreTrafficHookFunction.Arn`,
  ],
});
const ofDeployments = Object.assign(
  ofDeployment('Authorize', 'AuthorizeFunction'),
  ...operations.map(({ id }) => ofDeployment(id, id)),
);

test('each function runs for up to 10 seconds on Node.js 24 and arm64, with tracing, and logs JSON to its own log group', () => {
  const resources = stackResources();
  const functions = ofType(resources, 'AWS::Lambda::Function');
  expect(functions).toHaveLength(operations.length + 1);
  for (const { logicalId, Properties } of functions) {
    const id = readable({ Ref: logicalId });
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      TracingConfig: { Mode: 'Active' },
      LoggingConfig: { LogFormat: 'JSON' },
      // The timeouts for DynamoDB requests depend on this timeout.
      Timeout: 10,
    });
    expect(readable(Properties.LoggingConfig.LogGroup)).toBe(`${id}Log`);
  }
});

describe.each([
  ['dev', {}, ofFunctions],
  ['prod', { stage: 'prod' }, { ...ofFunctions, ...ofDeployments }],
  ['dev with a key for the tables', key, withKey(ofFunctions)],
  [
    'dev with an OpenID Connect provider',
    { oidcIssuer: 'https://id.example/tenant', oidcAudience: 'plant-store' },
    {
      ...ofOperations,
      ...ofApi,
      AuthorizeOidcFunctionRole: logsAndTraces('AuthorizeOidcFunction'),
    },
  ],
])('in %s,', (_stage, options, expected) => {
  const resources = stackResources(options);

  test('each role has exactly the expected permissions', () => {
    const roles = ofType(resources, 'AWS::IAM::Role');
    expect(
      Object.fromEntries(
        roles.map((role) => [readable({ Ref: role.logicalId }), rights(role, resources)]),
      ),
    ).toEqual(expected);
  });
});

/** The statements of the role's inline, attached and managed policies, as readable text. */
function rights(role: Resource, resources: readonly Resource[]): string[] {
  const attached = [
    ...ofType(resources, 'AWS::IAM::Policy'),
    ...ofType(resources, 'AWS::IAM::ManagedPolicy'),
  ].filter(({ Properties }) => Properties.Roles?.some(({ Ref }: Json) => Ref === role.logicalId));
  const inline = (role.Properties.Policies ?? []).map((Properties: Json) => ({ Properties }));
  return [
    ...[...inline, ...attached].flatMap(statementsOf).map(described),
    ...(role.Properties.ManagedPolicyArns ?? []).map(readable),
  ];
}

function statementsOf({ Properties }: Pick<Resource, 'Properties'>): Json[] {
  return Properties.PolicyDocument.Statement;
}

function described({ Effect, Action, Resource, Condition, ...rest }: Json): string {
  const service = Condition?.StringEquals['kms:ViaService'];
  const condition = service ? ` if the request comes through ${readable(service)}` : '';
  const others = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`;
  return `${Effect} ${[Action].flat().join(', ')} on ${[Resource].flat().map(readable).join(', ')}${condition}${others}`;
}
