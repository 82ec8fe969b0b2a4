import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { codeOf } from '../../emulator/emulator-error.ts';
import { localDynamoDB } from '../../tokens/connect.ts';
import { send } from '../support/http.ts';
import { plantsIn } from '../support/plants-in.ts';
import { synthesizedAssembly } from '../support/synthesized-assembly.ts';
import { survivorsOf } from './processes.ts';
import { newToken, type StageProcess, startStageProcess } from './stage-process.ts';

const CLIENTS = 8;
const MAX_ACKNOWLEDGED = 150;
const PATIENCE_MS = 5_000;

export interface KillRounds {
  readonly rounds: number;
  readonly random: () => number;
  readonly onRound?: (round: Round) => void;
}

export interface Round {
  readonly victim: Victim;
  /** After how many acknowledged plants of its own it was killed. */
  readonly after: number;
  /** How many plants were acknowledged in all rounds so far. */
  readonly acknowledged: number;
}

/**
 * What is killed first; the stage ends in any case. In turn, so that three rounds have them all: a process
 * that outlives the stage shows only where nothing else was killed.
 */
const victims = ['the stage', 'the store', 'every process'] as const;
type Victim = (typeof victims)[number];

/**
 * Kills the stage again and again while clients create plants, and starts it again on the same data.
 *
 * @returns what may not be, one line for each: an acknowledged plant that is gone, a process that is left
 */
export async function killAgainAndAgain({ rounds, random, onRound }: KillRounds): Promise<string[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plant-store-crash-'));
  const acknowledged = new Map<string, string>();
  const faults: string[] = [];
  let token: string | undefined;
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const stage = await startStageProcess(synthesizedAssembly(), dataDir);
      const dynamodb = localDynamoDB(stage.dynamodbEndpoint);
      token ??= await newToken(stage);
      faults.push(...(await lost(acknowledged, dynamodb)));
      dynamodb.destroy();

      const victim = victims[round % victims.length] ?? 'the stage';
      const after = Math.floor(random() * MAX_ACKNOWLEDGED);
      const before = acknowledged.size;
      const clients = Array.from({ length: CLIENTS }, (_, client) =>
        createUntilItEnds(stage, token ?? '', `${round}`, client, acknowledged),
      );
      const tooLate = Date.now() + PATIENCE_MS;
      while (acknowledged.size < before + after && Date.now() < tooLate) await sleep(1);
      const survivors = await kill(stage, victim);
      await Promise.all(clients);
      onRound?.({ victim, after: acknowledged.size - before, acknowledged: acknowledged.size });
      if (survivors.length > 0) {
        faults.push(`round ${round}: ${survivors.length} processes outlived the stage`);
        // They may hold the data that the next round would start on.
        break;
      }
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return acknowledged.size === 0 ? [...faults, 'no plant was ever acknowledged'] : faults;
}

async function lost(acknowledged: ReadonlyMap<string, string>, dynamodb: DynamoDBDocumentClient) {
  const plants = await plantsIn(dynamodb);
  return [...acknowledged].flatMap(([id, name]) =>
    plants.get(id)?.name === name ? [] : [`the acknowledged plant ${id} is lost`],
  );
}

/** One client: its requests fail only when nobody is there to answer. */
async function createUntilItEnds(
  { url }: StageProcess,
  token: string,
  round: string,
  client: number,
  acknowledged: Map<string, string>,
): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  for (let count = 0; ; count += 1) {
    const id = `${Number(round) + 1}${client}${String(count).padStart(7, '0')}`;
    const name = `plant ${id}`;
    try {
      const { status } = await send(url, { headers, body: `{"id":${id},"name":"${name}"}` });
      if (status === 200) acknowledged.set(id, name);
    } catch (error) {
      // An answer outside the contract has none.
      if (codeOf(error) === undefined) throw error;
      return;
    }
  }
}

/** @returns the ids of processes that outlive the stage */
async function kill({ child, descendants }: StageProcess, victim: Victim): Promise<number[]> {
  const others = descendants();
  if (victim !== 'the stage') {
    const [store, ...functions] = others;
    for (const pid of victim === 'the store' ? [store] : [store, ...functions]) {
      if (pid !== undefined) killIfThere(pid);
    }
    await sleep(20);
  }
  const all = [...new Set([...others, ...descendants()])];
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  return survivorsOf(all);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
