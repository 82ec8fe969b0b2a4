import type { APIGatewayProxyResult } from 'aws-lambda';

/** The result of a Lambda proxy integration, with a JSON body. */
export function jsonResponse(
  statusCode: number,
  body: object,
  headers: Record<string, string> = {},
): APIGatewayProxyResult {
  return {
    statusCode,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}
