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
