import { mintAccessToken } from '../../lambda/shared/tokens/access-token.ts';
import { exampleBody, exampleMethod, examplePath } from '../support/contract.ts';

/** Returns the part of API Gateway's event that `exampleOperation` reads. */
export const exampleEvent = (body = exampleBody) => ({
  httpMethod: exampleMethod,
  path: examplePath,
  headers: { 'Content-Type': 'application/json' },
  body,
  isBase64Encoded: false,
  requestContext: { requestId: 'test' },
});

const token = mintAccessToken();

/** The event that API Gateway sends to the authorizer. */
export const authorizeEvent = {
  type: 'TOKEN',
  methodArn: 'arn:aws:execute-api:us-east-1:123456789012:api/dev/POST/operation',
  authorizationToken: `Bearer ${token.text}`,
};

/** The tokens table's item for the token in `authorizeEvent`, in DynamoDB's JSON. */
export const tokenItem = {
  id: { S: token.id },
  name: { S: 'test' },
  hash: { S: token.hash },
  issuedAt: { N: '1' },
};
