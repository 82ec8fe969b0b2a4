import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { mintAccessToken } from '../lambda/access-token.ts';
import type { TokenRecord } from '../lambda/token-record.ts';

export interface IssueOptions {
  /** Who gets the token. */
  readonly name: string;
  /** In seconds since 1970. */
  readonly expiresAt: number;
}

/** @returns the text of a new access token: the only place where it is ever seen */
export async function issueToken(
  client: DynamoDBDocumentClient,
  tableName: string,
  { name, expiresAt }: IssueOptions,
): Promise<string> {
  const { id, hash, text } = mintAccessToken();
  const record: TokenRecord = { id, name, hash, issuedAt: nowInSeconds(), expiresAt };
  await client.send(
    new PutCommand({ TableName: tableName, Item: record, ConditionExpression: 'attribute_not_exists(id)' }),
  );
  return text;
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
