import { describe, expect, test } from '@jest/globals';
import { stackResources, stackTemplate } from '../support/assembly/stack-template.ts';
import { type Json, ofType, readable } from '../support/assembly/template-resources.ts';
import { read } from '../support/pages/code-blocks.ts';
import { domain, everyEdgeOption, everyOptionOfProd, webAcl } from './option-combinations.ts';

const plain = stackResources({ stage: 'prod' });
const withAll = stackResources(everyOptionOfProd);

/** The properties of the only resource that has the given type. */
function only(all: typeof plain, type: string): Json {
  const [found, ...more] = ofType(all, type);
  expect(more).toEqual([]);
  return found?.Properties;
}

test('the API and a custom domain are regional, and require TLS 1.2 or 1.3 with forward secrecy', () => {
  const strict = {
    EndpointConfiguration: { Types: ['REGIONAL'] },
    SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
    EndpointAccessMode: 'STRICT',
  };
  expect(only(plain, 'AWS::ApiGateway::RestApi')).toMatchObject(strict);
  expect(only(withAll, 'AWS::ApiGateway::RestApi')).toMatchObject(strict);
  expect(only(withAll, 'AWS::ApiGateway::DomainName')).toMatchObject(strict);
});

describe('a custom domain', () => {
  const { domainName, certificateArn, hostedZoneId } = everyOptionOfProd;
  const withoutZone = stackResources(domain);

  test('has the given name and certificate, and its root path maps to the stage', () => {
    expect(only(withAll, 'AWS::ApiGateway::DomainName')).toMatchObject({
      DomainName: domainName,
      RegionalCertificateArn: certificateArn,
    });
    const { BasePath, Stage } = only(withAll, 'AWS::ApiGateway::BasePathMapping');
    expect([BasePath, readable(Stage)]).toEqual([undefined, 'ApiRestApiDeploymentStageprod']);
  });

  test('turns off the execute-api address, by the new API deployment that AWS requires', () => {
    const dev = stackResources();
    expect(only(dev, 'AWS::ApiGateway::RestApi').DisableExecuteApiEndpoint).toBe(false);
    expect(only(withoutZone, 'AWS::ApiGateway::RestApi').DisableExecuteApiEndpoint).toBe(true);
    const [before] = ofType(dev, 'AWS::ApiGateway::Deployment');
    const [after] = ofType(withoutZone, 'AWS::ApiGateway::Deployment');
    expect(after?.logicalId).not.toBe(before?.logicalId);
  });

  test('appears in the output BaseUrl, and the output DnsTarget is the target for its DNS record', () => {
    const { BaseUrl, DnsTarget } = stackTemplate(everyOptionOfProd).Outputs;
    expect(BaseUrl.Value).toBe(`https://${domainName}`);
    expect(readable(DnsTarget.Value)).toBe('ApiDomainDomainName.RegionalDomainName');
  });

  test('is created before the execute-api address is turned off, because this can take an hour', () => {
    const [name] = ofType(withAll, 'AWS::ApiGateway::DomainName');
    const [api] = ofType(withAll, 'AWS::ApiGateway::RestApi');
    expect(api?.DependsOn).toEqual([name?.logicalId]);
  });

  test('has a DNS record in the hosted zone if hostedZoneId is set', () => {
    expect(ofType(withoutZone, 'AWS::Route53::RecordSet')).toEqual([]);
    const { AliasTarget, ...record } = only(withAll, 'AWS::Route53::RecordSet');
    expect(record).toEqual({ HostedZoneId: hostedZoneId, Name: `${domainName}.`, Type: 'A' });
    expect(readable(AliasTarget.DNSName)).toBe('ApiDomainDomainName.RegionalDomainName');
  });
});

describe('limits for clients', () => {
  const limiting = only(withAll, 'AWS::WAFv2::WebACL');
  const ofAddress = { AggregateKeyType: 'IP', Limit: 1200, EvaluationWindowSec: 60 };
  // The authorizer accepts `bearer TOKEN` and `Bearer  TOKEN` as the same token.
  const TextTransformations = [
    { Type: 'LOWERCASE', Priority: 0 },
    { Type: 'COMPRESS_WHITE_SPACE', Priority: 1 },
  ];
  const ofToken = {
    AggregateKeyType: 'CUSTOM_KEYS',
    CustomKeys: [{ Header: { Name: 'authorization', TextTransformations } }],
    Limit: 300,
    EvaluationWindowSec: 60,
  };

  test('count requests by address first, and then by token however it is spelled', () => {
    const { Scope, DefaultAction } = limiting;
    expect({ Scope, DefaultAction }).toEqual({ Scope: 'REGIONAL', DefaultAction: { Allow: {} } });
    const rules = limiting.Rules.toSorted((a: Json, b: Json) => a.Priority - b.Priority);
    expect(rules).toMatchObject([
      { Priority: 0, Statement: { RateBasedStatement: ofAddress } },
      { Priority: 1, Statement: { RateBasedStatement: ofToken } },
    ]);
    const alone = only(stackResources({ clientRequestsPerMinute: '300' }), 'AWS::WAFv2::WebACL');
    expect(alone.Rules).toHaveLength(1);
  });

  test('give the same response as the throttle of the stage', () => {
    const throttled = ofType(withAll, 'AWS::ApiGateway::GatewayResponse').find(
      ({ Properties }) => Properties.ResponseType === 'THROTTLED',
    );
    const Content = throttled?.Properties.ResponseTemplates['application/json'];
    expect(limiting.CustomResponseBodies).toEqual({
      throttled: { ContentType: 'APPLICATION_JSON', Content },
    });
    const CustomResponse = {
      ResponseCode: 429,
      ResponseHeaders: [{ Name: 'Retry-After', Value: '1' }],
      CustomResponseBodyKey: 'throttled',
    };
    const Action = { Block: { CustomResponse } };
    expect(limiting.Rules).toMatchObject([{ Action }, { Action }]);
  });

  test('have metrics, and store no samples of requests, which would contain tokens', () => {
    const VisibilityConfig = { CloudWatchMetricsEnabled: true, SampledRequestsEnabled: false };
    const visible = { VisibilityConfig };
    expect([limiting, ...limiting.Rules]).toMatchObject([visible, visible, visible]);
  });

  test.each([
    ['webAclArn', { ...webAcl, stage: 'prod' }, webAcl.webAclArn],
    ['limits', everyOptionOfProd, 'ApiRequestLimits.Arn'],
  ])('the stage has one web ACL, in the same association, with %s', (_what, options, webAclArn) => {
    const [association, ...more] = ofType(stackResources(options), 'AWS::WAFv2::WebACLAssociation');
    expect(more).toEqual([]);
    expect(association?.logicalId).toBe('ApiWebAcl796CF128');
    expect(readable(association?.Properties.WebACLArn)).toBe(webAclArn);
    expect(readable(association?.Properties.ResourceArn)).toBe(
      'arn:AWS::Partition:apigateway:AWS::Region::/restapis/ApiRestApi/stages/ApiRestApiDeploymentStageprod',
    );
  });
});

test.each(['runbook', 'restore'])('the throttle of every method is set in docs/%s.md', (page) => {
  const [{ HttpMethod, ResourcePath }] = only(plain, 'AWS::ApiGateway::Stage').MethodSettings;
  const method = `${ResourcePath}/${HttpMethod}/throttling`;
  const paths = read(`docs/${page}.md`).match(/(?<=path=)\S+throttling\/\w+/g);
  expect(paths?.sort()).toEqual([`${method}/burstLimit`, `${method}/rateLimit`]);
});

test('throttleRate=10000 throttles every method at that rate, and at twice as many for a burst', () => {
  expect(only(withAll, 'AWS::ApiGateway::Stage').MethodSettings).toEqual([
    {
      DataTraceEnabled: false,
      HttpMethod: '*',
      ResourcePath: '/*',
      ThrottlingRateLimit: 10_000,
      ThrottlingBurstLimit: 20_000,
    },
  ]);
});

test('apiGatewayLogRole=leave leaves the account’s API Gateway settings alone, but keeps the access log', () => {
  expect(ofType(withAll, 'AWS::ApiGateway::Account')).toEqual([]);
  expect(only(withAll, 'AWS::ApiGateway::Stage').AccessLogSetting).toEqual(
    only(plain, 'AWS::ApiGateway::Stage').AccessLogSetting,
  );
});

test('the options for the domain, web ACL, throttle and log role change only the API and what is before it', () => {
  const others = (all: typeof plain) => all.filter(({ path }) => !path.startsWith('Api/'));
  expect(others(stackResources(everyEdgeOption))).toEqual(others(stackResources()));
});

describe('an API with an OpenID Connect provider', () => {
  const { IdentityValidationExpression, AuthorizerResultTtlInSeconds } = only(
    withAll,
    'AWS::ApiGateway::Authorizer',
  );

  test('has an authorizer for the provider, and none for access tokens', () => {
    const { oidcIssuer, oidcAudience, oidcScope } = everyOptionOfProd;
    const environments = ofType(withAll, 'AWS::Lambda::Function').map(
      ({ Properties }) => Properties.Environment.Variables,
    );
    const oidc = { OIDC_ISSUER: oidcIssuer, OIDC_AUDIENCE: oidcAudience, OIDC_SCOPE: oidcScope };
    expect(environments).toContainEqual(expect.objectContaining(oidc));
    expect(JSON.stringify(environments)).not.toContain('TOKENS_TABLE');
    expect(JSON.stringify(stackResources({ oidcIssuer, oidcAudience }))).not.toMatch('OIDC_SCOPE');
    expect(AuthorizerResultTtlInSeconds).toBe(0);
  });

  // The test of what a deployment keeps covers the table itself.
  test('has no output for the table of access tokens', () => {
    expect(stackTemplate(everyOptionOfProd).Outputs).not.toHaveProperty('TokensTableName');
  });

  test('invokes the authorizer only for a token that looks like a JSON Web Token', () => {
    const expression = new RegExp(IdentityValidationExpression);
    expect('Bearer aA0-_.aA0-_.aA0-_').toMatch(expression);
    for (const token of ['a.b', 'a.b.', 'a.b.c.d', 'a.b.c=', 'a,b,c'])
      expect(`Bearer ${token}`).not.toMatch(expression);
  });
});
