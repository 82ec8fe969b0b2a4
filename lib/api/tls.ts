import { CfnRestApi, EndpointAccessMode, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';

/**
 * TLS 1.2 and 1.3 with forward secrecy, and post-quantum key exchange for clients that can. STRICT also rejects a
 * request whose Host is not the name that TLS was negotiated for.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html
 */
export const TLS = {
  securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: EndpointAccessMode.STRICT,
} as const;

/** Sets `TLS` on the API, whose default is TLS 1.0. `RestApiProps` has no such property. */
export function requireTls({ node: { defaultChild: api } }: RestApi): void {
  if (!(api instanceof CfnRestApi)) throw new TypeError('the default child of a RestApi is a CfnRestApi');
  api.securityPolicy = TLS.securityPolicy;
  api.endpointAccessMode = TLS.endpointAccessMode;
}
