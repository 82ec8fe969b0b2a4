import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Emulator, RunningVersion } from './emulator.ts';
import { parseJson } from './json.ts';
import { Properties } from './template/properties.ts';

/** What other commands need to know about a running emulator. */
export type EmulatorAddress = Pick<Emulator & RunningVersion, 'url' | 'dynamodbEndpoint' | 'outputs'>;

/** Writes the emulator's address to a file in its data folder, for other commands on this machine. */
export async function announceEmulator(dataDir: string, emulator: EmulatorAddress): Promise<void> {
  const { url, dynamodbEndpoint, outputs } = emulator;
  await mkdir(dataDir, { recursive: true });
  await writeFile(fileIn(dataDir), `${JSON.stringify({ url, dynamodbEndpoint, outputs }, null, 2)}\n`);
}

/** Removes that file. */
export async function withdrawEmulator(dataDir: string): Promise<void> {
  await rm(fileIn(dataDir), { force: true });
}

/** @returns undefined if no emulator is announced, or the file cannot be read */
export async function announcedEmulator(dataDir: string): Promise<EmulatorAddress | undefined> {
  try {
    const emulator = Properties.of(parseJson(await readFile(fileIn(dataDir), 'utf8')), 'emulator.json');
    return {
      url: emulator.string('url'),
      dynamodbEndpoint: emulator.string('dynamodbEndpoint'),
      outputs: emulator.strings('outputs'),
    };
  } catch {
    return undefined;
  }
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'emulator.json');
}
