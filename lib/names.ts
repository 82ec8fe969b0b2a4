/**
 * Names that identify a deployed or synthesized stack. This module does not load the CDK, because the token command
 * would then take a second longer to start.
 */
import { join } from 'node:path';
import { operations } from '../lambda/generated/operations.ts';

export function stackName(stage: string): string {
  return `PlantStore-${stage}`;
}

/** The names of the stack's outputs. */
export const OUTPUTS = {
  /** The base URL, without a trailing slash. */
  baseUrl: 'BaseUrl',
  commit: 'Commit',
  dashboardName: 'DashboardName',
  dnsTarget: 'DnsTarget',
  pageTopicArn: 'PageTopicArn',
  ticketTopicArn: 'TicketTopicArn',
} as const;

/** The name of the output that names a table, by the table's `id` in lib/tables.ts. */
export const tableOutput = (id: string): string => `${id}TableName`;

export const TOKENS_TABLE_OUTPUT = tableOutput('Tokens');

export const LAMBDA_FOLDER = join(import.meta.dirname, '../lambda');

/** The folders of the functions in LAMBDA_FOLDER. */
export const FUNCTION_NAMES = [
  ...operations.map(({ functionName }) => functionName),
  'authorize',
  'authorize-oidc',
  'pre-traffic',
] as const;

export type FunctionName = (typeof FUNCTION_NAMES)[number];

/** The alias that API Gateway invokes, so that a deployment can shift traffic between versions. */
export const LIVE_ALIAS = 'live';

/** The context key for the folder in which `npm start` builds and rebuilds the bundles. */
export const BUNDLES_FOLDER_KEY = 'plant-store:bundles-folder';
