import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stage } from './emulator.ts';
import { objectOf, parseJson, required, textOf, textsOf } from './json.ts';

/** What other commands need to know of the running stage. */
export type StageAddress = Pick<Stage, 'url' | 'dynamodbEndpoint' | 'outputs'>;

/** Tells other commands on this machine where the stage is, by a file in its data folder. */
export async function announceEmulator(dataDir: string, stage: StageAddress): Promise<void> {
  const { url, dynamodbEndpoint, outputs } = stage;
  await mkdir(dataDir, { recursive: true });
  await writeFile(stageFile(dataDir), `${JSON.stringify({ url, dynamodbEndpoint, outputs }, null, 2)}\n`);
}

/** To be called when the stage ends. */
export async function withdrawEmulator(dataDir: string): Promise<void> {
  await rm(stageFile(dataDir), { force: true });
}

/** @returns undefined where no stage has been announced, or not in a way that can be read */
export async function announcedEmulator(dataDir: string): Promise<StageAddress | undefined> {
  try {
    const stage = objectOf(parseJson(await readFile(stageFile(dataDir), 'utf8')), 'stage.json');
    const text = (name: keyof StageAddress) => required(textOf(stage[name], name), name);
    return {
      url: text('url'),
      dynamodbEndpoint: text('dynamodbEndpoint'),
      outputs: textsOf(stage.outputs, 'outputs'),
    };
  } catch {
    return undefined;
  }
}

function stageFile(dataDir: string): string {
  return join(dataDir, 'stage.json');
}
