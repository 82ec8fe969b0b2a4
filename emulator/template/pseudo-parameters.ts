import type { Json } from '../json.ts';

/** Where the stack pretends to be deployed. */
export interface Pseudo {
  readonly region: string;
  readonly account: string;
  readonly stackName: string;
}

export function pseudoParameters({ region, account, stackName }: Pseudo): Readonly<Record<string, Json>> {
  return {
    'AWS::Region': region,
    'AWS::AccountId': account,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::StackName': stackName,
    'AWS::StackId': `arn:aws:cloudformation:${region}:${account}:stack/${stackName}/local`,
    'AWS::NotificationARNs': [],
  };
}
