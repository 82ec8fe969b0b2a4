/** The stage that `cdk deploy`, `npm start` and the commands use by default. */
export const DEFAULT_STAGE = 'dev';

/** The stage that deploys gradually, has alarms and keeps its data. */
export const PROD = 'prod';

export function stackName(stage: string): string {
  return `PlantStore-${stage}`;
}

/** The prefix of the stages that the workflow deploys for pull requests; the number of the pull request follows. */
export const PULL_REQUEST_PREFIX = 'pr-';

/** Describes in messages what `isStageName` accepts. */
export const STAGE_NAME_RULE =
  'a name that starts with a lowercase letter, followed by at most 19 lowercase letters, digits or hyphens';

/** A stage's name must be short enough for the names that CloudFormation generates from the stack's name. */
export function isStageName(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z][a-z0-9-]{0,19}$/.test(value);
}
