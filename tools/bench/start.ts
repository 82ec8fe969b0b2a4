/**
 * `npm run bench:start`: measures how long `npm start` takes until it is ready, and how long a saved change takes until
 * it is live. Both are also printed as multiples of the time that `node -e 0` takes.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { copyProject } from '../../test/support/edited-project.ts';
import { spreadOf } from './report.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const SOURCE = 'lambda/create-plant/create-plant.ts';

/** The measurements of one round, in milliseconds. */
interface Round {
  /** The time that `node -e 0` takes. */
  readonly node: number;
  /** From `npm start` until it is ready. */
  readonly start: number;
  /** From saving a file in `lambda/` until new requests run the saved code. */
  readonly save: number;
}

const project = copyProject();
try {
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure());
  for (const name of ['start', 'save'] as const) {
    const ratio = spreadOf(rounds.map((round) => round[name] / round.node));
    const milliseconds = spreadOf(rounds.map((round) => round[name]));
    console.log(
      `${name}: ${Math.round(milliseconds.median)} ms, ${ratio.median.toFixed(1)} times as long as node -e 0`,
    );
  }
} finally {
  project.remove();
}

async function measure(): Promise<Round> {
  const node = await timed(async () => void spawnSync(process.execPath, ['-e', '0']));
  const command = spawn(process.execPath, ['bin/start.ts'], {
    cwd: project.folder,
    env: { ...process.env, PORT: '0', DYNAMODB_PORT: '0', DATA_DIR: `${project.folder}/data` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  command.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const untilPrinted = async (pattern: RegExp) => {
    while (!pattern.test(printed)) {
      if (command.exitCode !== null) throw new Error(printed);
      await sleep(1);
    }
  };
  const start = await timed(() => untilPrinted(/curl .*\n/));
  // Waits until the functions have loaded, because loading them would slow down the reload.
  await sleep(2_000);
  const save = await timed(() => {
    project.save(SOURCE, `${project.read(SOURCE)}process.env.ROUND = '';\n`);
    return untilPrinted(/^Reloaded create-plant/m);
  });
  command.kill('SIGINT');
  await once(command, 'exit');
  return { node, start, save };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
