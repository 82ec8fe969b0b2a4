import type { Node } from 'constructs';
import { isStageName, STAGE_NAME_RULE } from '../names.ts';
import { OptionError } from '../options.ts';

/** Which workflow jobs of GitHub may deploy to this account and region. */
export interface DeploymentOptions {
  /** `OWNER/NAME`, or `OWNER@ID/NAME@ID`, as the subject of the repository's OpenID Connect tokens has it. */
  readonly repository: string;
  /** The GitHub environments that get a role each. */
  readonly environments: readonly string[];
  /** An account has one provider for GitHub: another stack, or another project, may have created it. */
  readonly importsProvider: boolean;
  /** Whether the stack sets the role with which API Gateway writes all logs of the account and region. */
  readonly setsLogRole: boolean;
}

const NAME = '[A-Za-z0-9][A-Za-z0-9._-]*';
const REPOSITORY = new RegExp(`^(${NAME}/${NAME}|${NAME}@\\d+/${NAME}@\\d+)$`);

/** @throws OptionError if an option is missing or invalid */
export function deploymentOptions(node: Node): DeploymentOptions {
  const repository: unknown = node.tryGetContext('repository');
  if (typeof repository !== 'string' || !REPOSITORY.test(repository)) {
    throw new OptionError(
      `repository must be OWNER/NAME or OWNER@ID/NAME@ID; got ${JSON.stringify(repository)} (see docs/continuous-deployment.md)`,
    );
  }
  const value: unknown = node.tryGetContext('environments');
  const environments = typeof value === 'string' ? value.split(',') : [];
  if (environments.length === 0 || !environments.every(isStageName)) {
    throw new OptionError(
      `environments must be names separated by commas, such as pr,staging, and each ${STAGE_NAME_RULE}; got ${JSON.stringify(value)}`,
    );
  }
  const provider: unknown = node.tryGetContext('oidcProvider');
  if (provider !== undefined && provider !== 'existing') {
    throw new OptionError(`oidcProvider must be "existing" or absent; got ${JSON.stringify(provider)}`);
  }
  const logRole: unknown = node.tryGetContext('apiGatewayLogRole');
  if (logRole !== undefined && logRole !== 'leave') {
    throw new OptionError(`apiGatewayLogRole must be "leave" or absent; got ${JSON.stringify(logRole)}`);
  }
  return {
    repository,
    environments: [...new Set(environments)],
    importsProvider: provider === 'existing',
    setsLogRole: logRole === undefined,
  };
}
