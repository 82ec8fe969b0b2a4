/** The authorizer as tutorials build it, with the defaults of the SDK and esbuild. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { authorizeHandler } from '../../lambda/authorize/handler.ts';
import { tokensTable } from '../../lambda/authorize/tokens-table.ts';
import { requiredEnv } from '../../lambda/shared/env.ts';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

export const handler = authorizeHandler(tokensTable(client, requiredEnv('TOKENS_TABLE')));
