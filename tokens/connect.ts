import { STAGES } from '../lib/names.ts';
import { OperatorError } from './operator-error.ts';
import type { TokenStore } from './token-store.ts';

/** Which stage's tokens the operator means. */
export interface Target {
  readonly local?: boolean | undefined;
  readonly stage?: string | undefined;
}

/** The tokens of the stage that the operator means. @throws OperatorError, or what AWS threw */
export async function connect({ local, stage }: Target, env: NodeJS.ProcessEnv): Promise<TokenStore> {
  if (local && stage !== undefined) throw new OperatorError('say either --local or --stage, not both');
  // Before AWS is asked, or found to be out of reach.
  const deployed = STAGES.find((name) => name === (stage ?? 'dev'));
  if (deployed === undefined) {
    throw new OperatorError(`there is no such stage: --stage takes ${STAGES.join(' or ')}`);
  }
  // Each loads what only it needs.
  if (local) return (await import('./local-store.ts')).localTokenStore(env);
  return (await import('./deployed-store.ts')).deployedTokenStore(deployed);
}
