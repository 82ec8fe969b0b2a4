import { describe, expect, test } from '@jest/globals';
import {
  type Json,
  ofType,
  readable,
  stackResources,
} from '../support/assembly/template-resources.ts';
import { edgeOptions, everyEdgeOption, everyOptionOfProd, webAcl } from './option-combinations.ts';
import { stackTemplate } from './stack-template.ts';

const plain = stackResources({ stage: 'prod' });
const withAll = stackResources(everyOptionOfProd);

/** The properties of the only resource that has the given type. */
function only(all: typeof plain, type: string): Json {
  const [found, ...more] = ofType(all, type);
  expect(more).toEqual([]);
  return found?.Properties;
}

test('the API and a custom domain require TLS 1.2 or 1.3 with forward secrecy', () => {
  const strict = {
    SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
    EndpointAccessMode: 'STRICT',
  };
  expect(only(plain, 'AWS::ApiGateway::RestApi')).toMatchObject(strict);
  expect(only(withAll, 'AWS::ApiGateway::RestApi')).toMatchObject(strict);
  expect(only(withAll, 'AWS::ApiGateway::DomainName')).toMatchObject(strict);
});

describe('a custom domain', () => {
  const { domainName, certificateArn, hostedZoneId } = everyOptionOfProd;
  const withoutZone = stackTemplate(edgeOptions['a custom domain']);

  test('is a regional domain name with the given certificate, and its root path maps to the stage', () => {
    expect(only(withAll, 'AWS::ApiGateway::DomainName')).toMatchObject({
      DomainName: domainName,
      RegionalCertificateArn: certificateArn,
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
    const mapping = only(withAll, 'AWS::ApiGateway::BasePathMapping');
    expect([mapping.DomainName, mapping.RestApiId, mapping.Stage].map(readable)).toEqual([
      'ApiDomainDomainName',
      'ApiRestApi',
      'ApiRestApiDeploymentStageprod',
    ]);
    expect(mapping.BasePath).toBeUndefined();
  });

  test('turns off the execute-api address, and creates a new API deployment, without which AWS would not apply the change', () => {
    const isOff = (all: typeof plain) =>
      only(all, 'AWS::ApiGateway::RestApi').DisableExecuteApiEndpoint;
    expect([plain, withAll].map(isOff)).toEqual([false, true]);
    const deploymentOf = (all: typeof plain) =>
      ofType(all, 'AWS::ApiGateway::Deployment')[0]?.logicalId;
    expect(deploymentOf(stackResources(edgeOptions['a custom domain']))).not.toBe(
      deploymentOf(stackResources()),
    );
  });

  test('appears in the output BaseUrl, and the output DnsTarget is the target for its DNS record', () => {
    const { BaseUrl, DnsTarget } = withoutZone.findOutputs('*');
    expect(BaseUrl?.Value).toBe(`https://${domainName}`);
    expect(readable(DnsTarget?.Value)).toBe('ApiDomainDomainName.RegionalDomainName');
  });

  test('is created before the execute-api address is turned off, because creating the domain can take an hour', () => {
    const [name] = ofType(withAll, 'AWS::ApiGateway::DomainName');
    const dependencies = [plain, withAll].map(
      (all) => ofType(all, 'AWS::ApiGateway::RestApi')[0]?.DependsOn,
    );
    expect(dependencies).toEqual([[], [name?.logicalId]]);
  });

  test('has a DNS record in the hosted zone if hostedZoneId is set', () => {
    expect(withoutZone.findResources('AWS::Route53::RecordSet')).toEqual({});
    const { AliasTarget, ...record } = only(withAll, 'AWS::Route53::RecordSet');
    expect(record).toEqual({ HostedZoneId: hostedZoneId, Name: `${domainName}.`, Type: 'A' });
    expect([AliasTarget.DNSName, AliasTarget.HostedZoneId].map(readable)).toEqual([
      'ApiDomainDomainName.RegionalDomainName',
      'ApiDomainDomainName.RegionalHostedZoneId',
    ]);
  });
});

describe('limits for clients', () => {
  const { addressRequestsPerMinute, clientRequestsPerMinute } = everyOptionOfProd;
  const limiting = only(withAll, 'AWS::WAFv2::WebACL');
  const address = { AggregateKeyType: 'IP', Limit: 1200, EvaluationWindowSec: 60 };
  // The authorizer accepts `bearer TOKEN` and `Bearer  TOKEN` as the same token.
  const TextTransformations = ['LOWERCASE', 'COMPRESS_WHITE_SPACE'].map((Type, Priority) => ({
    Type,
    Priority,
  }));
  const CustomKeys = [{ Header: { Name: 'authorization', TextTransformations } }];
  const token = {
    AggregateKeyType: 'CUSTOM_KEYS',
    CustomKeys,
    Limit: 300,
    EvaluationWindowSec: 60,
  };

  test.each([
    ['together', { addressRequestsPerMinute, clientRequestsPerMinute }, [address, token]],
    ['for addresses', { addressRequestsPerMinute }, [address]],
    ['for tokens', { clientRequestsPerMinute }, [token]],
  ])(
    '%s count requests by address first, and by token however it is spelled',
    (_, options, statements) => {
      const rules: Json[] = only(stackResources(options), 'AWS::WAFv2::WebACL').Rules;
      const inOrder = rules.toSorted((a, b) => a.Priority - b.Priority);
      expect(inOrder.map(({ Statement }) => Statement.RateBasedStatement)).toEqual(statements);
      expect(limiting.DefaultAction).toEqual({ Allow: {} });
    },
  );

  test('give the same response as the throttle of the stage', () => {
    const throttled = ofType(withAll, 'AWS::ApiGateway::GatewayResponse').find(
      ({ Properties }) => Properties.ResponseType === 'THROTTLED',
    );
    const Content = throttled?.Properties.ResponseTemplates['application/json'];
    expect(limiting.CustomResponseBodies).toEqual({
      throttled: { ContentType: 'APPLICATION_JSON', Content },
    });
    const ResponseHeaders = [{ Name: 'Retry-After', Value: '1' }];
    const CustomResponse = {
      ResponseCode: 429,
      ResponseHeaders,
      CustomResponseBodyKey: 'throttled',
    };
    const Action = { Block: { CustomResponse } };
    expect(limiting.Rules).toMatchObject([{ Action }, { Action }]);
  });

  test('store no samples of requests, which would contain tokens', () => {
    const samples = { VisibilityConfig: { SampledRequestsEnabled: false } };
    expect([limiting, ...limiting.Rules]).toMatchObject([samples, samples, samples]);
  });

  test('replace webAclArn in the only association with the stage', () => {
    const own = stackResources({ ...webAcl, stage: 'prod' });
    const stage =
      'arn:AWS::Partition:apigateway:AWS::Region::/restapis/ApiRestApi/stages/ApiRestApiDeploymentStageprod';
    const associations = [own, withAll].flatMap((all) =>
      ofType(all, 'AWS::WAFv2::WebACLAssociation'),
    );
    const described = associations.map(({ logicalId, Properties: { ResourceArn, WebACLArn } }) => {
      return [logicalId, ResourceArn, WebACLArn].map(readable);
    });
    const arns = [webAcl.webAclArn, 'ApiRequestLimits.Arn'];
    expect(described).toEqual(arns.map((arn) => ['ApiWebAcl796CF128', stage, arn]));
    expect(ofType(own, 'AWS::WAFv2::WebACL')).toEqual([]);
  });
});

test('the throttle applies to every method of the stage, and a burst can have twice as many requests', () => {
  const throttles = [plain, withAll].map(
    (all) => only(all, 'AWS::ApiGateway::Stage').MethodSettings,
  );
  const ofEveryMethod = { HttpMethod: '*', ResourcePath: '/*' };
  expect(throttles).toMatchObject([
    [{ ...ofEveryMethod, ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 }],
    [{ ...ofEveryMethod, ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 2000 }],
  ]);
});

test('with apiGatewayLogRole=leave, the stack does not change the account’s API Gateway settings, but keeps the access log', () => {
  expect(ofType(withAll, 'AWS::ApiGateway::Account')).toEqual([]);
  expect(JSON.stringify(withAll)).not.toContain('AmazonAPIGatewayPushToCloudWatchLogs');
  const accessLogs = [plain, withAll].map(
    (all) => only(all, 'AWS::ApiGateway::Stage').AccessLogSetting,
  );
  expect(accessLogs[1]).toEqual(accessLogs[0]);
});

test('the stage of the API is created after the role that API Gateway uses to write logs', () => {
  const [account] = ofType(plain, 'AWS::ApiGateway::Account');
  expect(readable(account?.Properties.CloudWatchRoleArn)).toBe('ApiRestApiCloudWatchRole.Arn');
  expect(ofType(plain, 'AWS::ApiGateway::Stage')[0]?.DependsOn).toContain(account?.logicalId);
});

test('all options for the domain, web ACL, throttle and log role together change only the API and the resources in front of it', () => {
  const others = (all: typeof plain) => all.filter(({ path }) => !path.startsWith('Api/'));
  expect(others(stackResources(everyEdgeOption))).toEqual(others(stackResources()));
});

describe('an API with an OpenID Connect provider', () => {
  const { IdentityValidationExpression, AuthorizerResultTtlInSeconds } = only(
    withAll,
    'AWS::ApiGateway::Authorizer',
  );

  test('has an authorizer that is configured for the provider, and none for access tokens', () => {
    const { oidcIssuer, oidcAudience, oidcScope } = everyOptionOfProd;
    const environments = ofType(withAll, 'AWS::Lambda::Function').map(
      ({ Properties }) => Properties.Environment.Variables,
    );
    const oidc = { OIDC_ISSUER: oidcIssuer, OIDC_AUDIENCE: oidcAudience, OIDC_SCOPE: oidcScope };
    expect(environments).toContainEqual(expect.objectContaining(oidc));
    expect(JSON.stringify(environments)).not.toContain('TOKENS_TABLE');
    expect(AuthorizerResultTtlInSeconds).toBe(300);
  });

  test.each([
    ['invokes', 'Bearer aA0-_.aA0-_.aA0-_'],
    ['invokes', 'bearer  e.y.J'],
    ...['a.b', 'a.b.', 'a.b.c.d', 'a.b.c=', 'a,b,c'].map(
      (token) => ['does not invoke', `Bearer ${token}`] as const,
    ),
    ['does not invoke', 'Basic a.b.c'],
    ['does not invoke', 'a.b.c'],
  ])('%s the authorizer for the header %j', (verb, header) => {
    expect(new RegExp(IdentityValidationExpression).test(header)).toBe(verb === 'invokes');
  });
});
