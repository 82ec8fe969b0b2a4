import { OperatorError } from './operator-error.ts';
import type { TokenStore } from './token-store.ts';

export interface Target {
  readonly local?: boolean | undefined;
  readonly stage?: string | undefined;
}

/** The tokens of the stage that the operator means. @throws OperatorError, or what AWS threw */
export async function connect({ local, stage }: Target, env: NodeJS.ProcessEnv): Promise<TokenStore> {
  if (local && stage !== undefined) throw new OperatorError('say either --local or --stage');
  if (stage !== undefined && !/^[A-Za-z0-9-]{1,64}$/.test(stage)) {
    throw new OperatorError('--stage takes the name of a stage, such as dev or prod');
  }
  // Each loads what only it needs.
  if (local) return (await import('./local-store.ts')).localTokenStore(env);
  return (await import('./deployed-store.ts')).deployedTokenStore(stage ?? 'dev');
}
