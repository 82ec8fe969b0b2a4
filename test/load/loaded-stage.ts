import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newToken, type StageProcess, startStageProcess } from '../crash/stage-process.ts';
import { synthesizedAssembly } from '../support/synthesized-assembly.ts';
import type { Client } from './requests.ts';

/** A stage in processes of its own, so that its memory is its own too. */
export interface LoadedStage {
  readonly stage: StageProcess;
  readonly client: Client;
  stop(): Promise<void>;
}

export async function startLoadedStage(): Promise<LoadedStage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plant-store-load-'));
  const stage = await startStageProcess(synthesizedAssembly(), dataDir);
  return {
    stage,
    client: { url: stage.url, token: await newToken(stage) },
    stop: async () => {
      const ended = once(stage.child, 'exit');
      stage.child.kill('SIGKILL');
      await ended;
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
