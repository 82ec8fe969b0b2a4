import type { Node } from 'constructs';
import { OPTIONS } from '../options/options.ts';
import { assertKnown } from '../options/read-options.ts';
import { matching, oneOf, parseOption, type ValidValues } from '../options/valid-values.ts';
import { isStageName, STAGE_NAME_RULE } from '../stage-names.ts';

/** Which GitHub workflow jobs can deploy to this account and region. */
export interface RolesOptions {
  /** `OWNER/NAME` or `OWNER@ID/NAME@ID`, as in the subject of the repository's OpenID Connect tokens. */
  readonly repository: string;
  /** The GitHub environments; each gets a role. */
  readonly environments: readonly string[];
  /**
   * Whether another stack or project has created the OpenID Connect provider for GitHub; an account can have only one.
   */
  readonly importsProvider: boolean;
  /** Whether the stack sets the role that API Gateway uses to write all logs in the account and region. */
  readonly setsLogRole: boolean;
}

const NAME = '[A-Za-z0-9][A-Za-z0-9._-]*';
const REPOSITORY = matching(
  new RegExp(`^(${NAME}/${NAME}|${NAME}@\\d+/${NAME}@\\d+)$`),
  'OWNER/NAME or OWNER@ID/NAME@ID (see docs/continuous-deployment.md)',
);
const ENVIRONMENTS: ValidValues<string[]> = {
  expected: `names separated by commas, such as pr,staging; each must be ${STAGE_NAME_RULE}`,
  parse: (value) => {
    const names = [...new Set(`${value ?? ''}`.split(','))];
    return names.every(isStageName) ? names : undefined;
  },
};

/** @throws UserError if an option is missing, unknown or invalid */
export function rolesOptions(node: Node): RolesOptions {
  const names = ['repository', 'environments', 'oidcProvider', 'apiGatewayLogRole'];
  assertKnown(node.getAllContext(), names, 'docs/continuous-deployment.md');
  const read = <Value>(name: string, option: ValidValues<Value>, fallback?: Value) =>
    parseOption(name, option, node.tryGetContext(name) ?? fallback);
  // Also an option of stages: cdk.json may set it for all of them.
  const { apiGatewayLogRole: logRole } = OPTIONS;
  return {
    repository: read('repository', REPOSITORY),
    environments: read('environments', ENVIRONMENTS),
    importsProvider: read('oidcProvider', oneOf('new', 'existing'), 'new') === 'existing',
    setsLogRole: read('apiGatewayLogRole', logRole, logRole.default) === 'set',
  };
}
