/** The authorizer as most tutorials build it, with the default settings of the SDK's clients. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createHandler } from '../../../lambda/authorize/handler.ts';
import { tokensTable } from '../../../lambda/authorize/tokens-table.ts';
import { requiredEnv } from '../../../lambda/shared/env.ts';
import { observeAuthorizer } from '../../../lambda/shared/log/observe.ts';
import { powertoolsLog } from '../../../test/support/powertools-log.ts';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

export const handler = observeAuthorizer(
  createHandler(tokensTable(client, requiredEnv('TOKENS_TABLE'))),
  powertoolsLog('authorize', requiredEnv('STAGE')),
);
