import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * Tells a function where DynamoDB is, though the SDK would find it: `sam local invoke --env-vars` overrides
 * only variables that the template has.
 */
export function dynamodbEndpoint(scope: Construct): Record<string, string> {
  const { region, urlSuffix } = Stack.of(scope);
  return { AWS_ENDPOINT_URL_DYNAMODB: `https://dynamodb.${region}.${urlSuffix}` };
}
