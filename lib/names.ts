/** The names by which the token command finds a deployed stack and what is in it. */
export function stackName(stage: string): string {
  return `PlantStore-${stage}`;
}

export const TOKENS_TABLE_OUTPUT = 'TokensTableName';
