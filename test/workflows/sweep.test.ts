import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type CloudFormation, startCloudFormation } from '../support/cloudformation.ts';
import { PROJECT } from '../support/code-blocks.ts';
import { outcomeOf } from '../support/token-command.ts';

const HOUR_MS = 60 * 60 * 1000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plant-store-sweep-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs `npm run sweep` with a fake npx that records its arguments, and fails for the stage `pr-13`. */
async function sweep(stacks: CloudFormation['stacks']) {
  const npx = join(folder, 'npx');
  const calls = join(folder, 'calls');
  writeFileSync(calls, '');
  writeFileSync(npx, `#!/bin/sh\necho "$*" >> '${calls}'\ncase "$*" in *stage=pr-13*) exit 1 ;; esac\n`);
  chmodSync(npx, 0o755);
  const { url, stop } = await startCloudFormation(stacks);
  const outcome = await outcomeOf(
    spawn(process.execPath, ['scripts/sweep-stages.ts'], {
      cwd: PROJECT,
      env: {
        PATH: `${folder}:${process.env.PATH}`,
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'sweep',
        AWS_SECRET_ACCESS_KEY: 'sweep',
        AWS_ENDPOINT_URL_CLOUDFORMATION: url,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  await stop();
  return { ...outcome, calls: readFileSync(calls, 'utf8').trimEnd().split('\n') };
}

test('deletes the stages of pull requests that were last deployed more than a day ago, the oldest first', async () => {
  const { code, stdout, calls } = await sweep({
    'PlantStore-pr-1': { created: ago(25) },
    'PlantStore-pr-2': { created: ago(23) },
    'PlantStore-pr-3': { created: ago(90), updated: ago(1) },
    'PlantStore-pr-4': { created: ago(90), updated: ago(50) },
    'PlantStore-prod': { created: ago(900) },
    'PlantStore-staging': { created: ago(900) },
    'Another-pr-5': { created: ago(900) },
  });
  expect(calls).toEqual(['cdk destroy -c stage=pr-4 --force', 'cdk destroy -c stage=pr-1 --force']);
  expect([code, stdout]).toEqual([0, '2 of 2 expired stages deleted.\n']);
});

test('deletes the other stages if one cannot be deleted, and fails with its name', async () => {
  const { code, stdout, stderr, calls } = await sweep({
    'PlantStore-pr-13': { created: ago(40) },
    'PlantStore-pr-14': { created: ago(30) },
  });
  expect(calls).toHaveLength(2);
  expect([code, stdout, stderr]).toEqual([
    1,
    '1 of 2 expired stages deleted.\n',
    'sweep: Error: not deleted: pr-13\n',
  ]);
});
