/** Decides which jobs of deploy.yml start, and runs their steps, as GitHub does. */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { synthesizedAssembly } from '../../../test/support/assembly/synthesized-assembly.ts';
import { PROJECT } from '../../../test/support/pages/code-blocks.ts';
import { type Outcome, outcomeOf } from '../../../test/support/project/run-command.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { commandsOf, type Workflow, workflows } from './workflow-files.ts';

const deploy: Workflow = Object.assign(
  {},
  ...workflows.filter(({ file }) => file.endsWith('deploy.yml')),
);
const steps = Object.values(deploy.jobs).flatMap((job) => job.steps);

// The home folder of the steps, in which the CDK and npm write files.
const home = temporaryFolder();

/** Runs a command of the workflow as GitHub does, without access to the developer's AWS account. */
function run(command = '', env: Record<string, string> = {}, cwd = PROJECT): Promise<Outcome> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const common = {
    PATH,
    NODE_COMPILE_CACHE,
    HOME: home,
    CI: 'true',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  return outcomeOf(
    spawn('bash', ['-e', '-c', command], {
      cwd,
      env: { ...common, STAGE: 'pr-7', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

const REJECT = 'Reject an old push';
const CHECK_OUT = 'Check out the commit of a run by hand';
const commandNamed = (name: string) => steps.find((step) => step.name === name)?.run;

describe('an event starts the right jobs:', () => {
  const push = { event_name: 'push' };
  const byHand = { event_name: 'workflow_dispatch' };
  const pullRequest = (full_name: string, login: string) => ({
    event_name: 'pull_request',
    event: { pull_request: { head: { repo: { full_name } }, user: { login } } },
  });

  /** Returns the jobs that an event starts. GitHub's conditions are also JavaScript. */
  function jobsStartedBy(event: object, { region = 'eu-west-1', failing = '' } = {}): string[] {
    const results: Record<string, string> = {};
    for (const [name, { if: condition = 'true', needs: needed }] of Object.entries(deploy.jobs)) {
      const needs = needed === undefined ? {} : { [needed]: { result: results[needed] } };
      const starts = runInNewContext(condition, {
        github: { repository: 'octo/plants', event: {}, ...event },
        vars: { AWS_REGION: region },
        needs,
        cancelled: () => false,
      });
      results[name] = starts ? (name === failing ? 'failure' : 'success') : 'skipped';
    }
    return Object.keys(results).filter((name) => results[name] !== 'skipped');
  }

  const own = pullRequest('octo/plants', 'octo');
  const dependabot = pullRequest('octo/plants', 'dependabot[bot]');

  test.each([
    ['a pull request of this repository gets a stage of its own', own, {}, ['pull-request']],
    ['a pull request from a fork gets no credentials', pullRequest('fork/plants', 'octo'), {}, []],
    [
      'a pull request of Dependabot gets no credentials, because nobody has reviewed it',
      dependabot,
      {},
      [],
    ],
    ['a push deploys staging, then prod', push, {}, ['staging', 'prod']],
    [
      'a push that fails in staging does not deploy prod',
      push,
      { failing: 'staging' },
      ['staging'],
    ],
    ['a run by hand deploys only prod', byHand, {}, ['prod']],
    ...[push, byHand, own].map((event) => {
      const what = `a ${event.event_name} starts nothing before the repository has the variable AWS_REGION`;
      return [what, event, { region: '' }, []] as const;
    }),
  ])('%s', (_what, event, options, jobs) => {
    expect(jobsStartedBy(event, options)).toEqual(jobs);
  });
});

test('only a push to main deploys, and GitHub evaluates the condition of prod even if staging was skipped', () => {
  expect(deploy.on.push).toEqual({ branches: ['main'] });
  // Only a function such as this one makes GitHub evaluate the condition.
  expect(deploy.jobs.prod?.if).toMatch(/^!cancelled\(\) &&/);
});

test('no job uses a stored credential', () => {
  expect(deploy.text).not.toMatch(/secrets\.|aws-access-key-id/);
});

// Only PlantStoreGitHub sets the account's logging role; if stages set it too, each pull request's stage would leave a
// role behind. test/docs/commands.test.ts checks that the CDK has these options.
const OPTIONS = '-c apiGatewayLogRole=leave --require-approval never';

test('each job deploys the stage of its GitHub environment, then sends it requests; a pull request’s stage is always deleted', () => {
  const jobs = Object.entries(deploy.jobs).map(([name, { environment, env, steps }]) => {
    return [name, { environment, env, commands: commandsOf(steps) }];
  });
  expect(Object.fromEntries(jobs)).toEqual({
    'pull-request': {
      environment: 'pr',
      env: { STAGE: `pr-$\{{ github.event.number }}` },
      commands: [
        'npm ci',
        `npm run deploy -- -c stage="$STAGE" ${OPTIONS}`,
        'npm run conformance -- --stage "$STAGE"',
        'npm run destroy -- -c stage="$STAGE" --force',
      ],
    },
    staging: {
      environment: 'staging',
      commands: [
        'npm ci',
        `npm run deploy -- -c stage=staging ${OPTIONS}`,
        'npm run conformance -- --stage staging',
      ],
    },
    prod: {
      environment: 'prod',
      env: { COMMIT: `$\{{ inputs.commit }}`, ROLLOUT: `$\{{ inputs.rollout || 'canary' }}` },
      commands: [
        commandNamed(REJECT),
        commandNamed(CHECK_OUT),
        'npm ci',
        `npm run deploy -- -c stage=prod -c rollout="$ROLLOUT" ${OPTIONS}`,
        'npm run conformance -- --stage prod',
      ],
    },
  });
  const conditional = steps.filter((step) => step.if);
  expect(conditional).toEqual([{ if: 'always()', run: expect.stringContaining('destroy') }]);
});

test('a run by hand shifts all requests at once by default, because a canary does not start during an alarm', () => {
  const rollout = { default: 'all-at-once', options: ['all-at-once', 'canary'] };
  expect(deploy.on.workflow_dispatch).toMatchObject({ inputs: { rollout } });
});

describe('the step that rejects an old push', () => {
  const pushed = '222';
  const reject = (newest: string, commit: string) => {
    const gh = `#!/bin/sh\ntest "$*" = 'api repos/octo/plants/commits/main --jq .sha' || exit 9\n${newest}\n`;
    writeFileSync(join(home, 'gh'), gh, { mode: 0o755 });
    const PATH = `${home}:${process.env.PATH}`;
    const env = { PATH, COMMIT: commit, GITHUB_REPOSITORY: 'octo/plants', GITHUB_SHA: pushed };
    return run(commandNamed(REJECT), env);
  };

  const older = 'main is now at 333; approve the run for that commit instead\n';
  test.each([
    ['accepts the newest commit on main', 'echo 222', '', { code: 0, stdout: '' }],
    [
      'rejects an older push, which somebody may approve late',
      'echo 333',
      '',
      { code: 1, stdout: older },
    ],
    ['fails if GitHub does not respond', 'exit 4', '', { code: 4, stdout: '' }],
    ['accepts a run by hand, even after a newer push', 'echo 333', '111', { code: 0, stdout: '' }],
  ])('%s', async (_what, newest, commit, expected) => {
    expect(await reject(newest, commit)).toEqual({ ...expected, stderr: '' });
  });
});

describe('the step that checks out the commit of a run by hand', () => {
  const clone = join(home, 'plants');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a', ...args], {
      cwd: clone,
      encoding: 'utf8',
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

  /** Returns what the step printed and, in `code` and `options`, which commit the next steps would deploy. */
  const checkOut = async (commit: string) => {
    git('checkout', '--quiet', '--force', 'bad');
    const env = { COMMIT: commit, GITHUB_SHA: 'bad' };
    const { code: status, stdout } = await run(commandNamed(CHECK_OUT), env, clone);
    const [code, options] = ['code', 'cdk.json'].map((file) =>
      readFileSync(join(clone, file), 'utf8'),
    );
    return { status, stdout, code, options };
  };

  const hashOf = (commit: string) => git('rev-parse', commit).trim();
  const kept = { code: 'bad', options: 'bad' };
  const rejected = (commit: string) => `${commit} is not the full hash of a commit on main\n`;

  test('keeps the pushed commit if there is none', async () => {
    expect(await checkOut('')).toEqual({ status: 0, stdout: '', ...kept });
  });

  test('takes the code of that commit, and main’s options', async () => {
    const expected = { status: 0, code: 'good', options: 'bad' };
    expect(await checkOut(hashOf('good'))).toMatchObject(expected);
  });

  test('rejects a commit that is not on main, and a name instead of a hash', async () => {
    for (const commit of [hashOf('elsewhere'), 'good'])
      expect(await checkOut(commit)).toEqual({ status: 1, stdout: rejected(commit), ...kept });
  });
});

describe('without an AWS account,', () => {
  const NO_CREDENTIALS =
    /^The CDK found no valid AWS credentials\. .* sign in or set AWS_PROFILE\.$/m;

  test('npm run deploy fails only because it needs one', async () => {
    const env = { CDK_APP: synthesizedAssembly() };
    const { code, stdout, stderr } = await run(
      `npm run deploy -- -c stage="$STAGE" ${OPTIONS}`,
      env,
    );
    expect([code, stdout + stderr]).toEqual([
      1,
      expect.stringContaining('Unable to resolve AWS account'),
    ]);
  });

  test('npm run deploy:github fails only because it needs one, and says so', async () => {
    const options = '-c repository=octo/plants -c environments=pr,prod';
    // test/template/nag.test.ts validates the template, which takes seconds.
    const env = { CDK_OUTPUT: join(home, 'cdk.out'), CDK_VALIDATION: 'false' };
    const { code, stderr } = await run(`npm run deploy:github -- ${options}`, env);
    expect([code, stderr]).toEqual([1, expect.stringMatching(NO_CREDENTIALS)]);
    expect(stderr).toContain('Unable to resolve AWS account');
  });
});
