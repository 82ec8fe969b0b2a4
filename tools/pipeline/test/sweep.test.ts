import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type CloudFormation, startCloudFormation } from '../../../test/support/cloudformation.ts';
import { command, outcomeOf } from '../../../test/support/token-command.ts';
import { sweep as sweepInProcess } from '../sweep.ts';

const HOUR_MS = 60 * 60 * 1000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plant-store-sweep-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns a stack of this service, by its name. */
const stackOf = (stage: string, created: Date, updated?: Date): CloudFormation['stacks'] => ({
  [`PlantStore-${stage}`]: {
    description: `Plant Store, stage ${stage}`,
    created,
    ...(updated && { updated }),
  },
});

/** Runs `npm run sweep` with a fake npx that writes its arguments to a file, and fails for the stage `pr-13`. */
async function sweep(stacks: CloudFormation['stacks'], args: readonly string[] = []) {
  const npx = join(folder, 'npx');
  const calls = join(folder, 'calls');
  writeFileSync(calls, '');
  writeFileSync(npx, `#!/bin/sh\necho "$*" >> '${calls}'\ncase "$*" in *stage=pr-13*) exit 1 ;; esac\n`);
  chmodSync(npx, 0o755);
  const { url, stop } = await startCloudFormation(stacks);
  const outcome = await outcomeOf(
    command('sweep', args, {
      PATH: `${folder}:${process.env.PATH}`,
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'sweep',
      AWS_SECRET_ACCESS_KEY: 'sweep',
      AWS_ENDPOINT_URL_CLOUDFORMATION: url,
    }),
  );
  await stop();
  return { ...outcome, calls: readFileSync(calls, 'utf8').trimEnd().split('\n') };
}

test('npm run sweep deletes pull requests’ stages that were last deployed more than a day ago, oldest first, and names a stage that it cannot delete', async () => {
  const { calls, ...outcome } = await sweep({
    ...stackOf('pr-1', ago(25)),
    ...stackOf('pr-2', ago(23)),
    ...stackOf('pr-3', ago(90), ago(1)),
    ...stackOf('pr-4', ago(90), ago(50)),
    ...stackOf('pr-13', ago(40)),
  });
  expect(calls).toEqual([4, 13, 1].map((number) => `cdk destroy -c stage=pr-${number} --force`));
  expect(outcome).toEqual({
    code: 1,
    stdout: 'Deleted 2 of 3 expired stages.\n',
    stderr: 'sweep: could not delete pr-13; see the output of cdk destroy above\n',
  });
});

test('npm run sweep keeps every stack that does not come from a pull request, however old the stack is', async () => {
  const stages = ['prod', 'staging', 'pr-', 'pr-demo', 'pr-12-db', 'pr-012', 'pr-1e3', 'pr-Five', 'preview'];
  const { code, stdout, calls } = await sweep({
    ...Object.assign({}, ...stages.map((stage) => stackOf(stage, ago(900)))),
    'Another-pr-5': { created: ago(900), description: 'Plant Store, stage pr-5' },
    'PlantStore-pr-6': { created: ago(900), description: 'A shop with an app of the same name' },
    'PlantStore-pr-7': { created: ago(900) },
  });
  expect([code, stdout, calls]).toEqual([0, 'Deleted 0 of 0 expired stages.\n', ['']]);
});

test('npm run sweep deletes nothing if it is run with an argument', async () => {
  await expect(sweepInProcess(['pr-1'])).rejects.toThrow('expected no arguments, got 1; nothing was deleted');
});

test('npm run sweep --help prints help and deletes nothing', async () => {
  const { calls, ...outcome } = await sweep(stackOf('pr-1', ago(25)), ['--help']);
  expect([outcome, calls]).toEqual([
    { code: 0, stdout: expect.stringContaining('\n  npm run sweep\n'), stderr: '' },
    [''],
  ]);
});
