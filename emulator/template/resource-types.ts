import { unsupported } from '../emulator-error.ts';
import { conditionHolds, type Resolver } from './intrinsics.ts';
import type { Resource } from './template.ts';

const FILE = 'emulator/template/resource-types.ts';

/** Resource types that cannot change a response. */
const notNeeded = new Set([
  // Permissions, which the emulator does not check.
  'AWS::IAM::ManagedPolicy',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::Lambda::Permission',
  'AWS::Logs::ResourcePolicy',
  'AWS::SNS::TopicPolicy',
  // Logs, metrics and alarms.
  'AWS::ApiGateway::Account',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::Logs::LogGroup',
  'AWS::Logs::LogStream',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::QueryDefinition',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::XRay::Group',
  'AWS::XRay::SamplingRule',
  // Deployment: the emulator always runs the newest code.
  'AWS::ApiGateway::Deployment',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentConfig',
  'AWS::CodeDeploy::DeploymentGroup',
  // Domain names: the emulator listens on this machine.
  'AWS::ApiGateway::BasePathMapping',
  'AWS::ApiGateway::DomainName',
  'AWS::CertificateManager::Certificate',
  'AWS::Route53::RecordSet',
  // Encryption at rest.
  'AWS::KMS::Alias',
  'AWS::KMS::Key',
  // Documentation and metadata.
  'AWS::ApiGateway::DocumentationPart',
  'AWS::ApiGateway::DocumentationVersion',
  'AWS::CDK::Metadata',
  // Applies to asynchronous invocations only.
  'AWS::Lambda::EventInvokeConfig',
]);

/**
 * Resource types that the emulator runs, with every property that it honours or that cannot change a response.
 * Any other property would be silently ignored, so it is an error.
 */
const supported: Readonly<Record<string, readonly string[] | 'any property'>> = {
  // What dynalite lacks (time to live, recovery, encryption, streams) changes no response.
  'AWS::DynamoDB::Table': 'any property',
  'AWS::DynamoDB::GlobalTable': 'any property',
  'AWS::Lambda::Function': [
    'Code',
    'Environment',
    'FunctionName',
    'Handler',
    'LoggingConfig',
    'MemorySize',
    'Runtime',
    'Timeout',
    'Architectures',
    'DeadLetterConfig',
    'Description',
    'EphemeralStorage',
    'KmsKeyArn',
    'RecursiveLoop',
    'ReservedConcurrentExecutions',
    'Role',
    'RuntimeManagementConfig',
    'SnapStart',
    'Tags',
    'TracingConfig',
  ],
  'AWS::Lambda::Version': 'any property',
  'AWS::Lambda::Alias': 'any property',
  'AWS::ApiGateway::RestApi': [
    'ApiKeySourceType',
    'BinaryMediaTypes',
    'Description',
    'DisableExecuteApiEndpoint',
    'EndpointAccessMode',
    'EndpointConfiguration',
    'Name',
    'SecurityPolicy',
    'Tags',
  ],
  'AWS::ApiGateway::Resource': ['ParentId', 'PathPart', 'RestApiId'],
  'AWS::ApiGateway::Method': [
    'AuthorizationType',
    'AuthorizerId',
    'HttpMethod',
    'Integration',
    'ResourceId',
    'RestApiId',
    // A proxy integration does not use these.
    'MethodResponses',
    'OperationName',
  ],
  'AWS::ApiGateway::Authorizer': [
    'AuthorizerResultTtlInSeconds',
    'AuthorizerUri',
    'IdentitySource',
    'IdentityValidationExpression',
    'AuthorizerCredentials',
    'AuthType',
    'Name',
    'RestApiId',
    'Type',
  ],
  'AWS::ApiGateway::GatewayResponse': [
    'ResponseParameters',
    'ResponseTemplates',
    'ResponseType',
    'RestApiId',
    'StatusCode',
  ],
  'AWS::ApiGateway::Stage': [
    'MethodSettings',
    'RestApiId',
    'StageName',
    'Variables',
    'AccessLogSetting',
    'DeploymentId',
    'Description',
    'DocumentationVersion',
    'Tags',
    'TracingEnabled',
  ],
};

/** @throws EmulatorError naming a resource, or a property of one, that the emulator can neither run nor ignore */
export function assertSupported(resources: readonly Resource[]): void {
  for (const { logicalId, type, properties } of resources) {
    if (notNeeded.has(type)) continue;
    const known = supported[type];
    if (known === undefined) throw unsupported(`${logicalId}: ${type}`, FILE);
    if (known === 'any property') continue;
    const unknown = Object.keys(properties).filter((name) => !known.includes(name));
    if (unknown.length > 0) throw unsupported(`${logicalId} (${type}): ${unknown.join(', ')}`, FILE);
  }
}

/** The resources without a condition, or whose condition is true. */
export function existing(resolver: Resolver): readonly Resource[] {
  return [...resolver.template.resources.values()].filter(
    ({ condition }) => condition === undefined || conditionHolds(condition, resolver),
  );
}
