/** Checks when the jobs of deploy.yml start and what they run, and runs its longer commands as GitHub does. */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { synthesizedAssembly } from '../support/assembly/synthesized-assembly.ts';
import { inlineCode, PROJECT, read } from '../support/pages/code-blocks.ts';
import { type Outcome, outcomeOf } from '../support/project/run-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { readWorkflow } from './workflow-files.ts';

const deploy = readWorkflow('.github/workflows/deploy.yml');

describe('the job', () => {
  const push = { event_name: 'push' };
  const byHand = { event_name: 'workflow_dispatch' };
  const pullRequest = (full_name: string, login: string) => ({
    event_name: 'pull_request',
    event: { pull_request: { head: { repo: { full_name } }, user: { login } } },
  });
  const own = pullRequest('octo/plants', 'octo');
  const succeeded = { staging: { result: 'success' } };
  const failed = { staging: { result: 'failure' } };
  const skipped = { staging: { result: 'skipped' } };

  test.each([
    ['pull-request', true, 'a pull request of this repository', own, {}],
    ['pull-request', false, 'a pull request from a fork', pullRequest('fork/plants', 'octo'), {}],
    [
      'pull-request',
      false,
      'a pull request of Dependabot, which nobody has reviewed',
      pullRequest('octo/plants', 'dependabot[bot]'),
      {},
    ],
    ['pull-request', false, 'a push', push, {}],
    ['staging', true, 'a push', push, {}],
    ['staging', false, 'a pull request', own, {}],
    ['staging', false, 'a run by hand', byHand, {}],
    ['prod', true, 'a push after staging succeeded', push, succeeded],
    ['prod', false, 'a push after staging failed', push, failed],
    ['prod', false, 'a pull request, which skips staging', own, skipped],
    ['prod', true, 'a run by hand, which skips staging', byHand, skipped],
  ])('the job %s starts (%s) for %s', (name, starts, _event, event, needs) => {
    // GitHub's conditions are also JavaScript.
    const github = { repository: 'octo/plants', event: {}, ...event };
    const isMet = (AWS_REGION: string) =>
      runInNewContext(deploy.jobs[name]?.if ?? '', {
        github,
        needs,
        vars: { AWS_REGION },
        cancelled: () => false,
      });
    expect(isMet('eu-west-1')).toBe(starts);
    // The repository has no AWS_REGION before somebody sets up deployments.
    expect(isMet('')).toBe(false);
  });
});

test('each push to main or a pull request starts it, and prod’s condition applies if staging is skipped', () => {
  const { push, pull_request } = deploy.on;
  expect([push, pull_request]).toEqual([{ branches: ['main'] }, null]);
  // Only a function such as this one makes GitHub evaluate the condition.
  expect(deploy.jobs.prod?.if).toContain('!cancelled()');
});

test('no job uses a stored credential or an undocumented variable, or prints the account id', () => {
  expect(deploy.text.match(/mask-aws-account-id: true/g)).toHaveLength(3);
  expect(deploy.text.match(/.*(secrets\b|aws-access-key-id).*/g)).toBeNull();
  const variables = deploy.text.match(/(?<=vars\.)\w+/g) ?? [];
  expect(inlineCode('docs/continuous-deployment.md')).toEqual(expect.arrayContaining(variables));
});

// Only PlantStoreGitHub sets the account's logging role; if stages set it too, each pull request's stage would leave a
// role behind. test/docs/commands.test.ts checks that the CDK has these options.
const OPTIONS = '-c apiGatewayLogRole=leave --require-approval never';

const PULL_REQUEST = `pr-$\{{ github.event.number }}`;

test.each([
  ['pull-request', PULL_REQUEST, '', { environment: 'pr', concurrency: `deploy-${PULL_REQUEST}` }],
  ['staging', 'staging', '', { environment: 'staging', concurrency: 'deploy-staging' }],
  [
    'prod',
    'prod',
    `-c rollout=$\{{ inputs.rollout || 'canary' }} `,
    { needs: 'staging', environment: 'prod' },
  ],
])(
  'the job %s deploys and checks the stage %s, and has its environment and concurrency',
  (name, stage, rollout, expected) => {
    const { needs, environment, concurrency, env = {}, steps = [] } = deploy.jobs[name] ?? {};
    expect({ needs, environment, concurrency }).toEqual(expected);
    const run = steps.flatMap((step) => step.run?.match(/^npm run .*/) ?? []);
    const [deployed, checked, ...others] = run.map((command) =>
      command.replaceAll(/"\$(\w+)"/g, (_, variable) => `${env[variable]}`),
    );
    expect(deployed).toBe(`npm run deploy -- -c stage=${stage} ${rollout}${OPTIONS}`);
    expect(checked).toBe(`npm run conformance -- --stage ${stage}`);
    const destroyed = `npm run destroy -- -c stage=${stage} --force`;
    expect(others).toEqual(name === 'pull-request' ? [destroyed] : []);
  },
);

test('no step is skipped or may fail, a pull request’s stage is deleted, and prod has time for a domain', () => {
  expect(deploy.jobs.prod?.['timeout-minutes']).toBeGreaterThan(60);
  const steps = Object.values(deploy.jobs).flatMap((job) => job.steps);
  expect(deploy.text.match(/.*continue-on-error.*/g)).toBeNull();
  expect(steps.flatMap((step) => step.if ?? [])).toEqual(['always()']);
  expect(deploy.jobs['pull-request']?.steps.at(-1)?.if).toBe('always()');
});

test('a run by hand shifts all requests at once, because a canary does not start during an alarm', () => {
  const rollout = { default: 'all-at-once', options: ['all-at-once', 'canary'] };
  expect(deploy.on.workflow_dispatch).toMatchObject({ inputs: { rollout } });
});

// The home folder of the commands, in which the CDK and npm write files.
const home = temporaryFolder();

/** Runs a command as GitHub does, without access to the developer's AWS account. */
function run(command: string, env: Record<string, string>, cwd = PROJECT): Promise<Outcome> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const common = { HOME: home, CI: 'true', AWS_EC2_METADATA_DISABLED: 'true' };
  return outcomeOf(
    spawn('bash', ['-e', '-c', command], {
      cwd,
      env: { PATH, NODE_COMPILE_CACHE, ...common, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

const { env = {}, steps = [] } = deploy.jobs.prod ?? {};
/** The variable with the commit of a run by hand; it is empty after a push. */
const [COMMIT = ''] =
  Object.entries(env).find(([, value]) => value === `$\{{ inputs.commit }}`) ?? [];

/** The command of prod's step that runs this program. */
const commandOf = (program: string) => steps.find(({ run }) => run?.includes(program))?.run ?? '';

describe('the step that rejects an old push', () => {
  const older = 'main is now at 333; approve the run for that commit instead\n';

  test.each([
    ['accepts the newest commit on main', '', 'echo 222', { code: 0, stdout: '' }],
    [
      'rejects an older push, which somebody may approve late',
      '',
      'echo 333',
      { code: 1, stdout: older },
    ],
    ['fails if GitHub does not respond', '', 'exit 4', { code: 4, stdout: '' }],
    ['accepts a run by hand, even after a newer push', '111', 'echo 333', { code: 0, stdout: '' }],
  ])('deploys only the newest commit of main: %s', async (_what, commit, newest, expected) => {
    const gh = `#!/bin/sh\ntest "$*" = 'api repos/octo/plants/commits/main --jq .sha' || exit 9\n${newest}\n`;
    writeFileSync(join(home, 'gh'), gh, { mode: 0o755 });
    const outcome = await run(commandOf('gh api'), {
      PATH: `${home}:${process.env.PATH}`,
      GITHUB_REPOSITORY: 'octo/plants',
      GITHUB_SHA: '222',
      [COMMIT]: commit,
    });
    expect(outcome).toEqual({ ...expected, stderr: '' });
  });
});

describe('the step that checks out the commit of a run by hand', () => {
  const clone = join(home, 'plants');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a', ...args], {
      cwd: clone,
      encoding: 'utf8',
    });

  test('has the whole history of main, and comes before npm ci', () => {
    const checkout = steps.find(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkout?.with).toMatchObject({ 'fetch-depth': 0 });
    const commands = steps.flatMap(({ run = '' }) => /git checkout|npm ci/.exec(run)?.[0] ?? []);
    expect(commands).toEqual(['git checkout', 'npm ci']);
  });

  // main has the commits good and bad; each writes its name into the code and into cdk.json.
  beforeAll(() => {
    execFileSync('git', ['init', '--quiet', clone]);
    const commit = (name: string) => {
      for (const file of ['code', 'cdk.json']) writeFileSync(join(clone, file), name);
      git('add', '.');
      git('commit', '--quiet', '--no-verify', `--message=${name}`);
      git('tag', name);
    };
    commit('good');
    commit('elsewhere');
    git('checkout', '--quiet', '--detach', 'good');
    commit('bad');
    git('update-ref', 'refs/remotes/origin/main', 'bad');
  });

  /** Runs the step for a push of bad. `code` and `options` tell which commit the next steps would deploy. */
  const checkOut = async (commit: string) => {
    git('checkout', '--quiet', '--force', 'bad');
    const command = commandOf('git checkout');
    const { code: status, stdout } = await run(
      command,
      { [COMMIT]: commit, GITHUB_SHA: 'bad' },
      clone,
    );
    const contentOf = (file: string) => readFileSync(join(clone, file), 'utf8');
    return { status, stdout, code: contentOf('code'), options: contentOf('cdk.json') };
  };
  const hashOf = (name: string) => git('rev-parse', name).trim();

  test('docs/runbook.md reverts the commits after GOOD, up to BAD', () => {
    const [list = ''] = /rev-list [^)]+/.exec(read('docs/runbook.md')) ?? [];
    expect(git(...list.toLowerCase().split(' ')).trim()).toBe(hashOf('bad'));
  });

  test('keeps the pushed commit if there is none', async () => {
    const expected = { status: 0, stdout: '', code: 'bad', options: 'bad' };
    expect(await checkOut('')).toEqual(expected);
  });

  test('takes the code of that commit, and main’s options', async () => {
    const expected = { status: 0, code: 'good', options: 'bad' };
    expect(await checkOut(hashOf('good'))).toMatchObject(expected);
  });

  test.each([
    ['a commit that is not on main', () => hashOf('elsewhere')],
    ['a name instead of a hash', () => 'good'],
  ])('rejects %s', async (_what, commit) => {
    const stdout = `${commit()} is not the full hash of a commit on main\n`;
    expect(await checkOut(commit())).toMatchObject({ status: 1, stdout, code: 'bad' });
  });
});

test.each([
  [
    `npm run deploy -- -c stage=pr-7 ${OPTIONS}`,
    () => ({ CDK_APP: synthesizedAssembly() }),
    'Unable to resolve AWS account',
  ],
  [
    'npm run deploy:github -- -c repository=octo/plants -c environments=pr,prod',
    // test/template/nag.test.ts validates the template, which takes seconds.
    () => ({ CDK_OUTPUT: join(home, 'cdk.out'), CDK_VALIDATION: 'false' }),
    'The CDK found no valid AWS credentials',
  ],
])('without an AWS account, %s fails only for that reason', async (command, env, reason) => {
  const { code, stdout, stderr } = await run(command, env());
  expect([code, stdout + stderr]).toEqual([1, expect.stringContaining(reason)]);
});
