import { unsupported } from '../emulator-error.ts';
import { conditionHolds } from './conditions.ts';
import type { Resolver } from './intrinsics.ts';
import type { Resource } from './template.ts';

const PERMISSIONS = 'nothing is checked against IAM';
const OBSERVATION = 'nobody is watching';
const DEPLOYMENT = 'a start always serves the newest code';
const ADDRESS = 'the stage is reached on this machine';

const FILE = 'emulator/template/resource-types.ts';

/** Resource types that can't change what a request gets, with the reason. */
const notNeeded: Readonly<Record<string, string>> = {
  'AWS::ApiGateway::Account': OBSERVATION,
  'AWS::ApiGateway::BasePathMapping': ADDRESS,
  'AWS::ApiGateway::Deployment': DEPLOYMENT,
  'AWS::ApiGateway::DocumentationPart': 'documentation',
  'AWS::ApiGateway::DocumentationVersion': 'documentation',
  'AWS::ApiGateway::DomainName': ADDRESS,
  'AWS::CDK::Metadata': 'a note about the CDK itself',
  'AWS::CertificateManager::Certificate': ADDRESS,
  'AWS::CloudWatch::Alarm': OBSERVATION,
  'AWS::CloudWatch::CompositeAlarm': OBSERVATION,
  'AWS::CloudWatch::Dashboard': OBSERVATION,
  'AWS::CodeDeploy::Application': DEPLOYMENT,
  'AWS::CodeDeploy::DeploymentConfig': DEPLOYMENT,
  'AWS::CodeDeploy::DeploymentGroup': DEPLOYMENT,
  'AWS::IAM::ManagedPolicy': PERMISSIONS,
  'AWS::IAM::Policy': PERMISSIONS,
  'AWS::IAM::Role': PERMISSIONS,
  'AWS::KMS::Alias': 'nothing is encrypted at rest',
  'AWS::KMS::Key': 'nothing is encrypted at rest',
  'AWS::Lambda::EventInvokeConfig': 'the gateway waits for its answers',
  'AWS::Lambda::Permission': PERMISSIONS,
  'AWS::Logs::LogGroup': OBSERVATION,
  'AWS::Logs::LogStream': OBSERVATION,
  'AWS::Logs::MetricFilter': OBSERVATION,
  'AWS::Logs::QueryDefinition': OBSERVATION,
  'AWS::Logs::ResourcePolicy': PERMISSIONS,
  'AWS::Route53::RecordSet': ADDRESS,
  'AWS::SNS::Subscription': OBSERVATION,
  'AWS::SNS::Topic': OBSERVATION,
  'AWS::SNS::TopicPolicy': PERMISSIONS,
  'AWS::XRay::Group': OBSERVATION,
  'AWS::XRay::SamplingRule': OBSERVATION,
};

/**
 * Resource types that the stage runs, with every property that it honours or that can't change what a
 * request gets. Any other property would be silently disobeyed, so it stops the start.
 */
const supported: Readonly<Record<string, readonly string[] | 'any property'>> = {
  // What dynalite lacks (time to live, recovery, encryption, streams) shows in no answer.
  'AWS::DynamoDB::Table': 'any property',
  'AWS::DynamoDB::GlobalTable': 'any property',
  'AWS::Lambda::Function': [
    ...[
      'Code',
      'Environment',
      'FunctionName',
      'Handler',
      'LoggingConfig',
      'MemorySize',
      'Runtime',
      'Timeout',
    ],
    ...['Architectures', 'DeadLetterConfig', 'Description', 'EphemeralStorage', 'KmsKeyArn', 'RecursiveLoop'],
    ...[
      'ReservedConcurrentExecutions',
      'Role',
      'RuntimeManagementConfig',
      'SnapStart',
      'Tags',
      'TracingConfig',
    ],
  ],
  'AWS::Lambda::Version': 'any property',
  'AWS::Lambda::Alias': 'any property',
  'AWS::ApiGateway::RestApi': [
    ...[
      'ApiKeySourceType',
      'BinaryMediaTypes',
      'Description',
      'DisableExecuteApiEndpoint',
      'EndpointAccessMode',
    ],
    ...['EndpointConfiguration', 'Name', 'SecurityPolicy', 'Tags'],
  ],
  'AWS::ApiGateway::Resource': ['ParentId', 'PathPart', 'RestApiId'],
  'AWS::ApiGateway::Method': [
    ...['AuthorizationType', 'AuthorizerId', 'HttpMethod', 'Integration', 'ResourceId', 'RestApiId'],
    // Answers of a proxy integration don't go through these.
    ...['MethodResponses', 'OperationName'],
  ],
  'AWS::ApiGateway::Authorizer': [
    ...['AuthorizerResultTtlInSeconds', 'AuthorizerUri', 'IdentitySource', 'IdentityValidationExpression'],
    ...['AuthorizerCredentials', 'AuthType', 'Name', 'RestApiId', 'Type'],
  ],
  'AWS::ApiGateway::GatewayResponse': [
    ...['ResponseParameters', 'ResponseTemplates', 'ResponseType', 'RestApiId', 'StatusCode'],
  ],
  'AWS::ApiGateway::Stage': [
    ...['MethodSettings', 'RestApiId', 'StageName', 'Variables'],
    ...['AccessLogSetting', 'DeploymentId', 'Description', 'DocumentationVersion', 'Tags', 'TracingEnabled'],
  ],
};

export interface NotNeeded {
  readonly logicalId: string;
  readonly type: string;
  readonly reason: string;
}

/**
 * The resources that the stage leaves out.
 * @throws EmulatorError naming a resource, or a property of one, that it can neither run nor leave out
 */
export function leaveOut(resources: readonly Resource[]): readonly NotNeeded[] {
  return resources.flatMap(({ logicalId, type, properties }) => {
    const reason = notNeeded[type];
    if (reason !== undefined) return [{ logicalId, type, reason }];
    const known = supported[type];
    if (known === undefined) throw unsupported(`${logicalId}: the emulator can't run ${type}`, FILE);
    const unknown =
      known === 'any property' ? [] : Object.keys(properties).filter((name) => !known.includes(name));
    if (unknown.length === 0) return [];
    throw unsupported(`${logicalId} (${type}): the emulator doesn't know ${unknown.join(', ')}`, FILE);
  });
}

/** The resources whose condition holds. */
export function existing(resolver: Resolver): readonly Resource[] {
  return [...resolver.template.resources.values()].filter(
    ({ condition }) => condition === undefined || conditionHolds(condition, resolver),
  );
}
