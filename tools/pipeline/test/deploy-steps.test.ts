/** Runs the steps of deploy.yml as GitHub does. */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { runApp } from '../../../lib/run-app.ts';
import { type CloudFormation, startCloudFormation } from '../../../test/support/cloudformation.ts';
import { PROJECT } from '../../../test/support/code-blocks.ts';
import { type ScriptedServer, startScriptedServer } from '../../../test/support/scripted-server.ts';
import { synthesizedAssembly } from '../../../test/support/synthesized-assembly.ts';
import { type Outcome, outcomeOf } from '../../../test/support/token-command.ts';
import { valuesOf } from './workflow-files.ts';

const deploy = readFileSync(join(PROJECT, '.github/workflows/deploy.yml'), 'utf8');
const [, ...jobs] = deploy.slice(deploy.indexOf('\njobs:')).split(/^ {2}(?=[\w-]+:$)/m);
const steps = [...new Set(valuesOf(deploy, 'run'))];
const stepsOf = (script: string) => steps.filter((step) => step.startsWith(`npm run ${script}`));
const [approval = '', checkout = '', ...others] = steps.filter((step) => !step.startsWith('npm '));

// The home folder of the steps, in which the CDK and npm write files.
const home = mkdtempSync(join(tmpdir(), 'plant-store-home-'));

let cloudFormation: CloudFormation;
let dynamodb: ScriptedServer;
let deployed: Record<string, string>;
beforeAll(async () => {
  const outputs = { TokensTableName: 'Tokens', BaseUrl: 'http://127.0.0.1:1' };
  const stages = ['pr-7', 'staging', 'prod'].map((stage) => [`PlantStore-${stage}`, outputs]);
  cloudFormation = await startCloudFormation(Object.fromEntries(stages));
  dynamodb = await startScriptedServer({ status: 200, body: '{}' });
  deployed = {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'deployer',
    AWS_SECRET_ACCESS_KEY: 'deployer',
    AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
  };
});
afterAll(async () => {
  await cloudFormation.stop();
  await dynamodb.stop();
  rmSync(home, { recursive: true, force: true });
});

/** Runs one step of the workflow as GitHub does. */
function run(step: string, env: Record<string, string>, cwd = PROJECT): Promise<Outcome> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return outcomeOf(
    spawn('bash', ['-e', '-c', step], {
      cwd,
      env: { PATH, NODE_COMPILE_CACHE, HOME: home, CI: 'true', STAGE: 'pr-7', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

test('the tests in this file run or check every step of deploy.yml except npm ci', () => {
  const tested = ['deploy', 'destroy', 'conformance'].flatMap(stepsOf);
  expect(new Set(steps)).toEqual(new Set(['npm ci', approval, checkout, ...tested]));
  expect([tested.length, others]).toEqual([7, []]);
});

test('deploy.yml uses no stored credentials, and each of its jobs has an environment', () => {
  expect(jobs).toHaveLength(3);
  expect(deploy).not.toMatch(/secrets\.|aws-access-key-id/);
  for (const job of jobs) expect(job).toMatch(/^ {4}environment: \w+$/m);
});

/** Returns the names of the jobs that an event starts, if the job `staging` had this result. */
function jobsOf(event_name: string, staging: string): string[] {
  const fork = { head: { repo: { full_name: 'fork/plants' } }, user: { login: 'octo' } };
  const context = {
    github: { event_name, event: { pull_request: fork }, repository: 'octo/plants' },
    vars: { AWS_REGION: 'eu-west-1' },
    needs: { staging: { result: staging } },
    cancelled: () => false,
  };
  const started = jobs.filter((job) =>
    runInNewContext(/^ {4}if: (?:>-\n)?(.*?)\n {4}\S/ms.exec(job)?.[1] ?? 'true', context),
  );
  return started.map((job) => job.slice(0, job.indexOf(':')));
}

test.each([
  ['a push', 'push', 'success', ['staging', 'prod']],
  ['a push that fails in staging', 'push', 'failure', ['staging']],
  ['a run by hand', 'workflow_dispatch', 'skipped', ['prod']],
  ['a pull request from a fork', 'pull_request', 'skipped', []],
])('%s starts the right jobs', (_what, event, staging, expected) => {
  expect(jobsOf(event, staging)).toEqual(expected);
});

// GitHub skips a job whose needed job was skipped, unless the condition calls a function such as cancelled().
test('the prod job first checks its commit, and can run without staging', () => {
  const prod = jobs.find((job) => job.startsWith('prod:')) ?? '';
  expect(valuesOf(prod, 'run').slice(0, 2)).toEqual([approval, checkout]);
  expect(prod).toMatch(/^ {4}if: >-\n {6}!cancelled\(\)/m);
  expect(prod).toMatch(/^ {6}COMMIT: \$\{\{ inputs\.commit \}\}$/m);
});

test.each([
  ['accepts the newest commit on main', '', 'echo 222', 0, ''],
  [
    'rejects an older push, for example if somebody approves it late',
    '',
    'echo 333',
    1,
    'main is now at 333; approve the run for that commit instead\n',
  ],
  ['fails if GitHub does not respond', '', 'exit 4', 4, ''],
  ['accepts a run by hand, even after a newer push', '111', 'echo 333', 0, ''],
])('the prod job %s', async (_what, COMMIT, gh, code, stdout) => {
  writeFileSync(
    join(home, 'gh'),
    `#!/bin/sh\ntest "$*" = 'api repos/octo/plants/commits/main --jq .sha' || exit 9\n${gh}\n`,
  );
  chmodSync(join(home, 'gh'), 0o755);
  const PATH = `${home}:${process.env.PATH}`;
  const env = { PATH, COMMIT, GITHUB_REPOSITORY: 'octo/plants', GITHUB_SHA: '222' };
  expect(await run(approval, env)).toEqual({ code, stdout, stderr: '' });
});

describe('after the checkout, the prod job', () => {
  beforeAll(() => {
    const script = `git init --quiet plants && cd plants && git config user.name a && git config user.email a
      commit() { echo $1 | tee code > cdk.json; git add .; git commit --quiet --message $1; git tag $1; }
      commit good; commit elsewhere; git checkout --quiet --detach good; commit bad
      git update-ref refs/remotes/origin/main bad`;
    execFileSync('sh', ['-ec', script], { cwd: home, stdio: 'pipe' });
  });

  test.each([
    ['keeps the pushed commit', '', 0, 'bad\nbad\n'],
    [
      'takes the code of the commit that a run by hand names, and main’s options',
      '$(git rev-parse good)',
      0,
      'bad\ngood\n',
    ],
    [
      'rejects a commit that is not on main',
      '$(git rev-parse elsewhere)',
      1,
      /is not the full hash of a commit on main\nbad\nbad\n$/,
    ],
    [
      'rejects a name instead of a hash',
      'good',
      1,
      'good is not the full hash of a commit on main\nbad\nbad\n',
    ],
  ])('%s', async (_what, commit, code, printed) => {
    const step = `git checkout --quiet --force bad; trap 'cat cdk.json code' EXIT; COMMIT=${commit}; ${checkout}`;
    const outcome = await run(step, { GITHUB_SHA: 'bad' }, join(home, 'plants'));
    expect(outcome).toMatchObject({ code, stdout: expect.stringMatching(printed) });
  });
});

// Only PlantStoreGitHub sets the account's logging role; if stages set it too, each pull request's stage would leave a
// role behind. test/docs/commands.test.ts checks that the CDK has these options.
test('deploy.yml deploys the three stages, and deletes one, with exactly these options', () => {
  const deployed = ['"$STAGE"', 'staging', 'prod -c rollout="$ROLLOUT"'].map(
    (stage) => `npm run deploy -- -c stage=${stage} -c apiGatewayLogRole=leave --require-approval never`,
  );
  expect(stepsOf('deploy')).toEqual(deployed);
  expect(stepsOf('destroy')).toEqual(['npm run destroy -- -c stage="$STAGE" --force']);
});

const noAccount = { AWS_EC2_METADATA_DISABLED: 'true' };
const NO_CREDENTIALS = /^The CDK found no valid AWS credentials\. .* sign in or set AWS_PROFILE\.$/m;

test('without an AWS account, npm run deploy fails only because it needs one', async () => {
  const env = { ...noAccount, CDK_APP: synthesizedAssembly() };
  const { code, stdout, stderr } = await run(stepsOf('deploy')[0] ?? '', env);
  expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('Unable to resolve AWS account')]);
});

test('without an AWS account, npm run deploy:github fails only because it needs one, and says so', async () => {
  const options = '-c repository=octo/plants -c environments=pr,prod';
  // test/template/nag.test.ts validates the template, which takes seconds.
  const env = { ...noAccount, CDK_OUTPUT: join(home, 'cdk.out'), CDK_VALIDATION: 'false' };
  const { code, stderr } = await run(`npm run deploy:github -- ${options}`, env);
  expect([code, stderr]).toEqual([1, expect.stringMatching(NO_CREDENTIALS)]);
  expect(stderr).toContain('Unable to resolve AWS account');
});

test('the CDK app prints a warning only if the CDK has found no credentials', () => {
  const printed = jest.spyOn(console, 'error').mockReturnValue();
  process.env.CDK_CLI_VERSION = '2';
  process.env.CDK_DEFAULT_ACCOUNT = '123456789012';
  runApp(() => {});
  expect(printed).not.toHaveBeenCalled();
  delete process.env.CDK_DEFAULT_ACCOUNT;
  runApp(() => {});
  expect(printed).toHaveBeenCalledWith(expect.stringMatching(NO_CREDENTIALS));
  delete process.env.CDK_CLI_VERSION;
  printed.mockRestore();
});

test('deploy.yml sends requests to the BaseUrl of each stack that it has deployed', async () => {
  const stages = ['"$STAGE"', 'staging', 'prod'];
  expect(stepsOf('conformance')).toEqual(stages.map((stage) => `npm run conformance -- --stage ${stage}`));
  const { code, stderr } = await run(stepsOf('conformance')[0] ?? '', deployed);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/conformance: no connection.*127\.0\.0\.1:1\)/)]);
});
