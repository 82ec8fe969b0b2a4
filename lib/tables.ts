import { type Attribute, AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { AuthorizeEnv, OperationEnv } from '../lambda/shared/env.ts';
import { EXPIRES_AT } from '../lambda/shared/tokens/access-token.ts';

export interface Table {
  readonly name: string;
  /** The table's construct id. Changing the id replaces the table. */
  readonly id: string;
  /** The environment variable that gives functions the table's name. */
  readonly variable: keyof OperationEnv | keyof AuthorizeEnv;
  readonly partitionKey: Attribute;
  readonly timeToLiveAttribute?: string;
  /** Describes the stack output `{id}TableName`, with which a command finds the table; without it, there is no output. */
  readonly output?: string;
}

/** Every table of the service. */
export const tables = [
  {
    name: 'plants',
    id: 'Plants',
    variable: 'PLANTS_TABLE',
    partitionKey: { name: 'id', type: AttributeType.NUMBER },
    output: 'The table that `npm run plants` lists',
  },
  {
    // This table stores only hashes of tokens. DynamoDB deletes expired tokens.
    name: 'tokens',
    id: 'Tokens',
    variable: 'TOKENS_TABLE',
    partitionKey: { name: 'id', type: AttributeType.STRING },
    timeToLiveAttribute: EXPIRES_AT,
    output: 'The table in which `npm run token` stores access tokens',
  },
] as const satisfies readonly Table[];

export type TableName = (typeof tables)[number]['name'];
