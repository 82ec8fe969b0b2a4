import { EndpointAccessMode, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';

/**
 * TLS 1.2 and 1.3 with forward secrecy, and post-quantum key exchange if the client supports it. STRICT rejects a
 * request through a VPC endpoint, and one whose Host header differs from the server name in the TLS handshake
 * (docs/decisions.md#one-address).
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html
 */
export const TLS = {
  securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: EndpointAccessMode.STRICT,
} as const;
