import { dynamodb } from '../dynamodb.ts';
import { requiredEnv } from '../required-env.ts';
import { createHandler } from './handler.ts';
import { tokensTable } from './tokens-table.ts';

export const handler = createHandler(tokensTable(dynamodb(), requiredEnv('TOKENS_TABLE')));
