import { unsupported } from '../emulator-error.ts';
import type { Resource } from './resource.ts';

const FILE = 'emulator/template/resource-types.ts';

/** Resource types that cannot change a response. */
const ignored = new Set([
  // Permissions, which the emulator does not check.
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::Lambda::Permission',
  'AWS::SNS::TopicPolicy',
  // Logs, metrics and alarms.
  'AWS::ApiGateway::Account',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::QueryDefinition',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  // Deployment: the emulator always runs the newest code.
  'AWS::ApiGateway::Deployment',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  // Domain names: the emulator listens on this machine.
  'AWS::ApiGateway::BasePathMapping',
  'AWS::ApiGateway::DomainName',
  'AWS::CertificateManager::Certificate',
  'AWS::Route53::RecordSet',
  // A filter in front of the API, whose rules are not in the template.
  'AWS::WAFv2::WebACLAssociation',
  // Encryption at rest.
  'AWS::KMS::Alias',
  'AWS::KMS::Key',
  // Metadata.
  'AWS::CDK::Metadata',
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
    'Description',
    'ReservedConcurrentExecutions',
    'Role',
    'Tags',
    'TracingConfig',
  ],
  'AWS::Lambda::Version': 'any property',
  'AWS::Lambda::Alias': 'any property',
  'AWS::ApiGateway::RestApi': [
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
  ],
  'AWS::ApiGateway::Authorizer': [
    'AuthorizerResultTtlInSeconds',
    'AuthorizerUri',
    'IdentitySource',
    'IdentityValidationExpression',
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
    'AccessLogSetting',
    'DeploymentId',
    'Description',
    'Tags',
    'TracingEnabled',
  ],
};

/** Whether a type cannot change a response. */
export function isIgnored(type: string): boolean {
  return ignored.has(type);
}

/** Whether the emulator runs or ignores a type. */
export function isKnown(type: string): boolean {
  return isIgnored(type) || type in supported;
}

/** @throws EmulatorError naming a resource, or a property of one, that the emulator can neither run nor ignore */
export function assertSupported(resources: readonly Resource[]): void {
  for (const { logicalId, type, properties, conditional } of resources) {
    if (isIgnored(type)) continue;
    const known = supported[type];
    if (known === undefined) throw unsupported(`${logicalId}: ${type}`, FILE);
    if (conditional) throw unsupported(`${logicalId}: a Condition`, FILE);
    if (known === 'any property') continue;
    const unknown = Object.keys(properties).filter((name) => !known.includes(name));
    if (unknown.length > 0) throw unsupported(`${logicalId} (${type}): ${unknown.join(', ')}`, FILE);
  }
}
