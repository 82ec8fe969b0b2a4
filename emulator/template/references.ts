import type { Json } from '../json.ts';
import type { Resolver } from './intrinsics.ts';
import type { Resource } from './template.ts';

/** The values of `Ref` and `Fn::GetAtt` for one resource type. */
interface References {
  readonly ref?: (resource: Resource, resolver: Resolver) => Json | undefined;
  readonly attributes?: Readonly<
    Record<string, (resource: Resource, resolver: Resolver) => Json | undefined>
  >;
}

/** The only version of a function in the emulator; `$LATEST` and every alias point to the same code. */
const VERSION = '1';

const references: Readonly<Record<string, References>> = {
  'AWS::DynamoDB::Table': { attributes: { Arn: tableArn } },
  'AWS::DynamoDB::GlobalTable': { attributes: { Arn: tableArn } },
  'AWS::Lambda::Function': { ref: named('FunctionName'), attributes: { Arn: functionArn } },
  'AWS::Lambda::Version': {
    ref: qualifiedArn(VERSION),
    attributes: { Version: () => VERSION, FunctionArn: qualifiedArn(VERSION) },
  },
  'AWS::Lambda::Alias': { ref: aliasArn, attributes: { AliasArn: aliasArn } },
  'AWS::ApiGateway::RestApi': {
    attributes: {
      RootResourceId: ({ logicalId }) => `${logicalId}-root`,
      RestApiId: ({ logicalId }) => logicalId,
    },
  },
  'AWS::ApiGateway::Resource': { attributes: { ResourceId: ({ logicalId }) => logicalId } },
  'AWS::ApiGateway::Authorizer': { attributes: { AuthorizerId: ({ logicalId }) => logicalId } },
  'AWS::ApiGateway::Deployment': { attributes: { DeploymentId: ({ logicalId }) => logicalId } },
  'AWS::ApiGateway::Stage': { ref: named('StageName') },
  'AWS::Logs::LogGroup': { ref: named('LogGroupName') },
  'AWS::IAM::Role': { ref: named('RoleName') },
  'AWS::SNS::Topic': { ref: genericArn, attributes: { TopicArn: genericArn } },
};

/** The value of `Ref`: the logical id if AWS would generate a name (as `sam local` does). */
export function referenceOf(resource: Resource, resolver: Resolver): Json | undefined {
  const ref = references[resource.type]?.ref;
  return ref === undefined ? resource.logicalId : ref(resource, resolver);
}

/** The value of `Fn::GetAtt`; undefined if the emulator does not support the attribute. */
export function attributeOf(resource: Resource, name: string, resolver: Resolver): Json | undefined {
  const attribute = references[resource.type]?.attributes?.[name];
  if (attribute !== undefined) return attribute(resource, resolver);
  return name === 'Arn' ? genericArn(resource, resolver) : undefined;
}

function named(property: string) {
  return (resource: Resource, resolver: Resolver) =>
    resolver.property(resource, property) ?? resource.logicalId;
}

function arn(service: string, name: string, { pseudo }: Resolver): string {
  return `arn:aws:${service}:${pseudo.region}:${pseudo.account}:${name}`;
}

/** `arn:aws:sns:…:Alerts`: the emulator never uses such a resource, but its ARN must look like one. */
function genericArn(resource: Resource, resolver: Resolver): string {
  const [, service = ''] = resource.type.split('::');
  if (service === 'IAM') return `arn:aws:iam::${resolver.pseudo.account}:role/${resource.logicalId}`;
  return arn(service.toLowerCase(), resource.logicalId, resolver);
}

function tableArn(resource: Resource, resolver: Resolver): string {
  return arn('dynamodb', `table/${resource.logicalId}`, resolver);
}

function functionArn(resource: Resource, resolver: Resolver): string {
  return arn('lambda', `function:${String(referenceOf(resource, resolver))}`, resolver);
}

/** The ARN of the function that a version or an alias belongs to, with its qualifier. */
function qualifiedArn(qualifier: string) {
  return (resource: Resource, resolver: Resolver): string => {
    const name = resolver.properties(resource).optionalString('FunctionName') ?? '';
    const [, unqualified = name] = /function:([^:]+)/.exec(name) ?? [];
    return arn('lambda', `function:${unqualified}:${qualifier}`, resolver);
  };
}

function aliasArn(resource: Resource, resolver: Resolver): string {
  return qualifiedArn(String(resolver.property(resource, 'Name')))(resource, resolver);
}
