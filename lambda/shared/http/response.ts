import type { APIGatewayProxyResult } from 'aws-lambda';

declare global {
  interface JSON {
    /** Missing from TypeScript's types. */
    rawJSON(text: string): object;
  }
}

/** The result of a Lambda proxy integration, with a JSON body in which a bigint is written with all its digits. */
export function jsonResponse(
  statusCode: number,
  body: object,
  headers: Record<string, string> = {},
): APIGatewayProxyResult {
  return {
    statusCode,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body, (_key, value: unknown) =>
      typeof value === 'bigint' ? JSON.rawJSON(`${value}`) : value,
    ),
  };
}
