import { basename } from 'node:path';
import { unsupported } from '../errors.ts';
import { isArray, isObject, type Json, type JsonObject } from '../json.ts';

export interface Resource {
  readonly logicalId: string;
  readonly type: string;
  /** As written in the template, with unresolved intrinsic functions. */
  readonly properties: JsonObject;
  /** The path of the function's code in the assembly, as the CDK writes it to the metadata. */
  readonly asset: Json | undefined;
  readonly conditional: boolean;
}

/**
 * Returns a resource's name for messages: for a function, its FunctionName or the name of its code's folder, unless
 * that name is a hash; otherwise the logical id.
 */
export function displayName({ logicalId, type, properties, asset }: Resource): string {
  if (type !== 'AWS::Lambda::Function') return logicalId;
  if (typeof properties.FunctionName === 'string') return properties.FunctionName;
  if (typeof asset !== 'string') return logicalId;
  const folder = basename(asset);
  return folder.startsWith('asset.') ? logicalId : folder;
}

/** Patterns for the resource types that cannot change a response, so the emulator ignores them. */
const IGNORED = [
  // Permissions, which the emulator does not check.
  'AWS::IAM::(Policy|Role)',
  'AWS::Lambda::Permission',
  // Logs, metrics and alarms.
  'AWS::ApiGateway::Account',
  'AWS::CloudWatch::(Alarm|CompositeAlarm|Dashboard)',
  'AWS::Logs::(LogGroup|MetricFilter|QueryDefinition)',
  'AWS::SNS::(Subscription|Topic|TopicPolicy)',
  // Deployments: the emulator always runs the newest code.
  'AWS::ApiGateway::Deployment',
  'AWS::CodeDeploy::(Application|DeploymentGroup)',
  // Domain names: the emulator listens on this machine.
  'AWS::ApiGateway::BasePathMapping',
  'AWS::ApiGateway::DomainName',
  'AWS::Route53::RecordSet',
  // Firewalls in front of the API: a web ACL in the template is left out.
  'AWS::WAFv2::WebACLAssociation',
  // Networks: functions run on this machine.
  'AWS::EC2::(EIP|FlowLog|InternetGateway|NatGateway|Route|RouteTable|SecurityGroup.*|Subnet.*|VPC.*)',
  // Encryption at rest, and metadata.
  'AWS::KMS::(Alias|Key)',
  'AWS::CDK::Metadata',
];

/** Properties that cannot change a response, in any resource type that has them. */
const IGNORED_PROPERTIES = ['Description', 'Name', 'RestApiId', 'Tags'];

/**
 * The resource types that the emulator runs, each with the properties that the emulator supports or that cannot change
 * a response, in addition to `IGNORED_PROPERTIES`. Any other property is rejected, because it would have no effect.
 */
const SUPPORTED: Readonly<Record<string, readonly string[] | 'any property'>> = {
  // The features that dynalite lacks (time to live, recovery, encryption, streams) do not affect responses.
  'AWS::DynamoDB::Table': 'any property',
  'AWS::DynamoDB::GlobalTable': 'any property',
  'AWS::Lambda::Function': [
    'Code',
    'Environment',
    'FunctionName',
    'Handler',
    'MemorySize',
    'Runtime',
    'Timeout',
    'Architectures',
    'LoggingConfig',
    'ReservedConcurrentExecutions',
    'Role',
    'TracingConfig',
    'VpcConfig',
  ],
  'AWS::Lambda::Version': 'any property',
  'AWS::Lambda::Alias': 'any property',
  'AWS::ApiGateway::RestApi': [
    'BinaryMediaTypes',
    'DisableExecuteApiEndpoint',
    'EndpointAccessMode',
    'EndpointConfiguration',
    'SecurityPolicy',
  ],
  'AWS::ApiGateway::Resource': ['ParentId', 'PathPart'],
  'AWS::ApiGateway::Authorizer': [
    'AuthorizerResultTtlInSeconds',
    'AuthorizerUri',
    'IdentitySource',
    'IdentityValidationExpression',
    'Type',
  ],
  'AWS::ApiGateway::GatewayResponse': [
    'ResponseParameters',
    'ResponseTemplates',
    'ResponseType',
    'StatusCode',
  ],
  'AWS::ApiGateway::Method': [
    'AuthorizationType',
    'AuthorizerId',
    'HttpMethod',
    'Integration',
    'ResourceId',
  ],
  'AWS::ApiGateway::Stage': [
    'StageName',
    'AccessLogSetting',
    'DeploymentId',
    'MethodSettings',
    'TracingEnabled',
  ],
};

/** Requests depend on every resource of these types. */
const USED = /^AWS::(ApiGateway|DynamoDB)/;

function isIgnored({ type }: Resource): boolean {
  return IGNORED.some((pattern) => new RegExp(`^${pattern}$`).test(type));
}

/**
 * Returns the types, by logical id, of the resources that the emulator leaves out: it does not know their types, and
 * neither the API nor the tables nor the functions that requests invoke refer to them, directly or through other
 * resources.
 */
export function leftOutOf(resources: readonly Resource[]): ReadonlyMap<string, string> {
  const relevant = resources.filter((resource) => !isIgnored(resource));
  const used = new Set(relevant.filter(({ type }) => USED.test(type)));
  // The loop also visits each resource that it adds.
  for (const { properties } of used) {
    const references = referencesIn(properties);
    for (const resource of relevant) {
      if (references.includes(resource.logicalId)) used.add(resource);
    }
  }
  const leftOut = relevant.filter(
    (resource) => !Object.hasOwn(SUPPORTED, resource.type) && !used.has(resource),
  );
  return new Map(leftOut.map(({ logicalId, type }) => [logicalId, type]));
}

/** Returns the logical ids in each `Ref` and `Fn::GetAtt` in a value. */
function referencesIn(value: Json): readonly Json[] {
  if (isArray(value)) return value.flatMap(referencesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, argument]) => {
    if (name === 'Ref') return [argument];
    if (name === 'Fn::GetAtt' && isArray(argument)) return argument.slice(0, 1);
    return referencesIn(argument);
  });
}

/** @throws UserError that names a resource or property that the emulator can neither run nor ignore */
export function assertResourcesSupported(resources: readonly Resource[]): void {
  for (const resource of resources.filter((each) => !isIgnored(each))) {
    const { type, properties, conditional } = resource;
    const name = displayName(resource);
    const known = SUPPORTED[type];
    if (known === undefined || !Object.hasOwn(SUPPORTED, type))
      throw unsupported(`${name}: ${type}`);
    if (conditional) throw unsupported(`${name}: a Condition`);
    const unknown = Object.keys(properties).find(
      (property) =>
        known !== 'any property' &&
        !known.includes(property) &&
        !IGNORED_PROPERTIES.includes(property),
    );
    if (unknown !== undefined) throw unsupported(`${name} (${type}): ${unknown}`);
  }
}
