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
import { Construct } from 'constructs';
import { resourceOf } from '../resource-of.ts';
import type { CustomDomain } from '../stage-config.ts';
import { TLS } from './tls.ts';

interface ApiDomainProps extends CustomDomain {
  readonly api: RestApi;
}

/** A domain name for the API's stage and, if the hosted zone is known, its DNS record. */
export class ApiDomain extends Construct {
  readonly target: string;

  constructor(scope: Construct, id: string, props: ApiDomainProps) {
    super(scope, id);
    const { name, certificateArn, hostedZoneId, api } = props;
    const domain = new DomainName(this, 'DomainName', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      ...TLS,
    });
    domain.addBasePathMapping(api);
    // Makes CloudFormation create the domain name, which takes up to an hour, before it turns off the execute-api
    // address (service-api.ts). A dependency on the construct `domain` would be circular, because its base path mapping
    // needs the API.
    resourceOf(api, CfnRestApi).addResourceDependency(resourceOf(domain, CfnDomainName));
    this.target = domain.domainNameAliasDomainName;
    if (hostedZoneId === undefined) return;
    new ARecord(this, 'Record', {
      zone: HostedZone.fromHostedZoneId(this, 'Zone', hostedZoneId),
      // The final dot makes the name absolute. Otherwise, the CDK would append the zone's name, which is unknown here.
      recordName: `${name}.`,
      target: RecordTarget.fromAlias(new ApiGatewayDomain(domain)),
    });
  }
}
