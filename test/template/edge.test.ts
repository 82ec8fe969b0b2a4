import { describe, expect, test } from '@jest/globals';
import { type Json, ofType, readable, stackResources } from '../support/template-resources.ts';
import { edgeOptions, everyEdgeOption, type Options } from './option-combinations.ts';
import { stackTemplate } from './stack-template.ts';

const resources = stackResources();
const withDomain = stackTemplate(edgeOptions['a custom domain']);
const withRecord = stackResources(edgeOptions['a custom domain with its record']);

/** The properties of the only resource of a type. */
function only(all: typeof resources, type: string): Json {
  const [found, ...more] = ofType(all, type);
  expect(more).toEqual([]);
  return found?.Properties;
}

const STRICT_TLS = {
  SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
  EndpointAccessMode: 'STRICT',
};

describe('TLS', () => {
  test.each([{}, { stage: 'prod' }])('is 1.2 or 1.3 with forward secrecy for the API, with %j', (options) => {
    expect(only(stackResources(options), 'AWS::ApiGateway::RestApi')).toMatchObject(STRICT_TLS);
  });

  test('is the same for a custom domain', () => {
    expect(only(withRecord, 'AWS::ApiGateway::DomainName')).toMatchObject(STRICT_TLS);
    expect(only(withRecord, 'AWS::ApiGateway::RestApi')).toMatchObject(STRICT_TLS);
  });

  test('has its version and cipher in each line of the access log', () => {
    const { AccessLogSetting } = only(resources, 'AWS::ApiGateway::Stage');
    expect(JSON.parse(AccessLogSetting.Format)).toMatchObject({
      tlsVersion: '$context.tlsVersion',
      cipherSuite: '$context.cipherSuite',
    });
  });
});

describe('a custom domain', () => {
  const { domainName, certificateArn, hostedZoneId } = edgeOptions['a custom domain with its record'];

  test('is a regional domain name with the certificate, and its root is the stage', () => {
    expect(only(withRecord, 'AWS::ApiGateway::DomainName')).toMatchObject({
      DomainName: domainName,
      RegionalCertificateArn: certificateArn,
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
    const mapping = only(withRecord, 'AWS::ApiGateway::BasePathMapping');
    expect([mapping.DomainName, mapping.RestApiId, mapping.Stage].map(readable)).toEqual([
      'ApiDomainDomainName',
      'ApiRestApi',
      'ApiRestApiDeploymentStagedev',
    ]);
    expect(mapping.BasePath).toBeUndefined();
  });

  test('is the only way to the API, by a deployment of the stage, without which AWS would not apply it', () => {
    const isOff = (all: typeof resources) => only(all, 'AWS::ApiGateway::RestApi').DisableExecuteApiEndpoint;
    expect([isOff(resources), isOff(withRecord)]).toEqual([false, true]);
    const deploymentOf = (all: typeof resources) => ofType(all, 'AWS::ApiGateway::Deployment')[0]?.logicalId;
    expect(deploymentOf(withRecord)).not.toBe(deploymentOf(resources));
  });

  test('is the BaseUrl, and DnsTarget is what its record points to', () => {
    const { BaseUrl, DnsTarget, ...others } = withDomain.findOutputs('*');
    expect(BaseUrl?.Value).toBe(`https://${domainName}`);
    expect(readable(DnsTarget?.Value)).toBe('ApiDomainDomainName.RegionalDomainName');
    expect(Object.keys(others).sort()).toEqual(['DashboardName', 'TokensTableName']);
  });

  test('exists before the execute-api address is turned off, because it takes up to an hour', () => {
    const api = (all: typeof resources) => ofType(all, 'AWS::ApiGateway::RestApi')[0];
    const [name] = ofType(withRecord, 'AWS::ApiGateway::DomainName');
    expect(api(withRecord)?.DependsOn).toEqual([name?.logicalId]);
    expect(api(resources)?.DependsOn).toEqual([]);
  });

  test('has its record in the hosted zone, if that is set', () => {
    expect(withDomain.findResources('AWS::Route53::RecordSet')).toEqual({});
    const { AliasTarget, ...record } = only(withRecord, 'AWS::Route53::RecordSet');
    expect(record).toEqual({ HostedZoneId: hostedZoneId, Name: `${domainName}.`, Type: 'A' });
    expect([AliasTarget.DNSName, AliasTarget.HostedZoneId].map(readable)).toEqual([
      'ApiDomainDomainName.RegionalDomainName',
      'ApiDomainDomainName.RegionalHostedZoneId',
    ]);
  });
});

test('a web ACL is associated with the stage', () => {
  const { webAclArn } = edgeOptions['a web ACL'];
  const association = only(stackResources({ webAclArn }), 'AWS::WAFv2::WebACLAssociation');
  expect(association.WebACLArn).toBe(webAclArn);
  expect(readable(association.ResourceArn)).toBe(
    'arn:AWS::Partition:apigateway:AWS::Region::/restapis/ApiRestApi/stages/ApiRestApiDeploymentStagedev',
  );
});

describe('the throttle of the stage', () => {
  test.each<[Options, { rate: number; burst: number }]>([
    [{}, { rate: 100, burst: 200 }],
    [{ stage: 'prod' }, { rate: 100, burst: 200 }],
    [{ throttleRate: '1000' }, { rate: 1000, burst: 2000 }],
    [{ throttleBurst: '50' }, { rate: 100, burst: 50 }],
    [
      { throttleRate: '7', throttleBurst: '9' },
      { rate: 7, burst: 9 },
    ],
  ])('with %j is %j', (options, { rate, burst }) => {
    expect(only(stackResources(options), 'AWS::ApiGateway::Stage').MethodSettings).toEqual([
      expect.objectContaining({
        HttpMethod: '*',
        ResourcePath: '/*',
        ThrottlingRateLimit: rate,
        ThrottlingBurstLimit: burst,
      }),
    ]);
  });
});

test("apiGatewayLogRole=leave changes no setting of the account, and leaves the stage's access log", () => {
  const left = stackResources({ apiGatewayLogRole: 'leave' });
  expect(ofType(left, 'AWS::ApiGateway::Account')).toEqual([]);
  expect(JSON.stringify(left)).not.toContain('AmazonAPIGatewayPushToCloudWatchLogs');
  expect(only(left, 'AWS::ApiGateway::Stage').AccessLogSetting).toEqual(
    only(resources, 'AWS::ApiGateway::Stage').AccessLogSetting,
  );
  expect(stackResources({ apiGatewayLogRole: 'set' })).toEqual(resources);
});

test('all of these options together change nothing but the API and what is in front of it', () => {
  const others = (all: typeof resources) => all.filter(({ path }) => !path.startsWith('Api/'));
  expect(others(stackResources({ ...everyEdgeOption }))).toEqual(others(resources));
});

describe('a wrong option fails the synth:', () => {
  const { domainName, certificateArn } = edgeOptions['a custom domain'];
  const both = 'a custom domain requires both domainName and certificateArn';

  test.each<[Options, string]>([
    [{ domainName }, both],
    [{ certificateArn }, both],
    [{ hostedZoneId: 'Z0123456789ABC' }, both],
    [{ domainName: 'Plants.example.com', certificateArn }, 'domainName must be a lowercase name such as'],
    [{ domainName: 'https://plants.example.com', certificateArn }, 'domainName must be'],
    [{ domainName: '*.example.com', certificateArn }, 'domainName must be'],
    [{ domainName: 'plants', certificateArn }, 'domainName must be'],
    [{ domainName: 'plants.example.com.', certificateArn }, 'domainName must be'],
    [{ domainName, certificateArn: 'arn:aws:iam::123456789012:server-certificate/x' }, 'certificateArn must'],
    [{ domainName, certificateArn, hostedZoneId: '/hostedzone/Z0' }, 'hostedZoneId must be an id such as'],
    [
      { webAclArn: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/plants/0b1c' },
      'webAclArn must be the ARN of a regional web ACL',
    ],
    [{ throttleRate: '0' }, 'throttleRate must be a whole number from 1 to 9999999; got "0"'],
    [{ throttleBurst: '1.5' }, 'throttleBurst must be a whole number from 1'],
    [{ apiGatewayLogRole: 'keep' }, 'apiGatewayLogRole must be set or leave; got "keep"'],
  ])('%j', (options, message) => {
    expect(() => stackTemplate(options)).toThrow(message);
  });
});
