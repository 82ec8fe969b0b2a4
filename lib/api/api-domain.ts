import {
  CfnDomainName,
  CfnRestApi,
  DomainName,
  EndpointType,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import type { Construct } from 'constructs';
import type { CustomDomain } from '../config.ts';
import { resourceOf } from '../resource-of.ts';
import { TLS } from './tls.ts';

/**
 * Adds a domain name for the API's stage and, if the hosted zone is known, its DNS record.
 *
 * @returns the target of a DNS record
 */
export function addDomain(
  scope: Construct,
  { name, certificateArn, hostedZoneId }: CustomDomain,
  api: RestApi,
): string {
  const domain = new DomainName(scope, 'DomainName', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    ...TLS,
  });
  domain.addBasePathMapping(api);
  // Makes CloudFormation create the domain name, which takes up to an hour, before it turns off the execute-api
  // address (service-api.ts). A dependency on the construct `domain` would be circular, because its base path mapping
  // needs the API.
  resourceOf(api, CfnRestApi).addResourceDependency(resourceOf(domain, CfnDomainName));
  if (hostedZoneId !== undefined) {
    new ARecord(scope, 'Record', {
      zone: HostedZone.fromHostedZoneId(scope, 'Zone', hostedZoneId),
      // The final dot makes the name absolute. Otherwise, the CDK would append the zone's name, which is unknown here.
      recordName: `${name}.`,
      target: RecordTarget.fromAlias(new ApiGatewayDomain(domain)),
    });
  }
  return domain.domainNameAliasDomainName;
}
