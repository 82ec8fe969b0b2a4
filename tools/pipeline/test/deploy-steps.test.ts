import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CloudFormation, startCloudFormation } from '../../../test/support/cloudformation.ts';
import { PROJECT } from '../../../test/support/code-blocks.ts';
import { type Service, startService } from '../../../test/support/service.ts';
import { synthesizedAssembly } from '../../../test/support/synthesized-assembly.ts';
import { type Outcome, outcomeOf } from '../../../test/support/token-command.ts';
import { valuesOf } from './workflow-files.ts';

const deploy = readFileSync(join(PROJECT, '.github/workflows/deploy.yml'), 'utf8');
const steps = [...new Set(valuesOf(deploy, 'run'))];

// The CDK and npm write there.
const home = mkdtempSync(join(tmpdir(), 'plant-store-home-'));

const noAccount = { AWS_EC2_METADATA_DISABLED: 'true', CDK_APP: synthesizedAssembly() };
const withAccount = {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'deployer',
  AWS_SECRET_ACCESS_KEY: 'deployer',
};

let service: Service;
let cloudFormation: CloudFormation;
let deployed: Record<string, string>;
beforeAll(async () => {
  service = await startService();
  cloudFormation = await startCloudFormation();
  const outputs = { ...service.emulator.outputs, BaseUrl: service.emulator.url };
  const unreachable = { ...outputs, BaseUrl: 'http://127.0.0.1:1' };
  cloudFormation.stacks = {
    'PlantStore-pr-7': { outputs },
    'PlantStore-staging': { outputs: unreachable },
    'PlantStore-prod': { outputs: unreachable },
  };
  deployed = {
    ...withAccount,
    AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
    AWS_ENDPOINT_URL_DYNAMODB: service.emulator.dynamodbEndpoint,
  };
});
afterAll(async () => {
  await service.stop();
  await cloudFormation.stop();
  rmSync(home, { recursive: true, force: true });
});

/** Runs a step as the runner of GitHub does. */
function run(step: string, env: Record<string, string>): Promise<Outcome> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return outcomeOf(
    spawn('bash', ['-e', '-c', step], {
      cwd: PROJECT,
      env: { PATH, NODE_COMPILE_CACHE, HOME: home, CI: 'true', STAGE: 'pr-7', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

function stepsOf(script: string): string[] {
  return steps.filter((step) => step.startsWith(`npm run ${script}`));
}

const [approval = '', ...others] = steps.filter((step) => !step.startsWith('npm '));

test('every step is npm ci, or one that a test below runs', () => {
  const tested = ['deploy', 'destroy', 'conformance', 'latency', 'sweep'].flatMap(stepsOf);
  expect(new Set(steps)).toEqual(new Set(['npm ci', approval, ...tested]));
  expect([tested.length, others]).toEqual([9, []]);
});

test('prod begins with the check of its commit', () => {
  const prod = deploy.slice(deploy.indexOf('\n  prod:'), deploy.indexOf('\n  sweep:'));
  expect(valuesOf(prod, 'run')[0]).toBe(approval);
});

test.each([
  ['accepts the newest commit of main', 'echo 222', 0, ''],
  [
    'rejects an older commit, which an approval may deploy late',
    'echo 333',
    1,
    'main is at 333 by now; approve its run instead\n',
  ],
  ['fails if GitHub does not respond', 'exit 4', 4, ''],
])('the check of the commit %s', async (_what, gh, code, stdout) => {
  writeFileSync(
    join(home, 'gh'),
    `#!/bin/sh\ntest "$*" = 'api repos/octo/plants/commits/main --jq .sha' || exit 9\n${gh}\n`,
  );
  chmodSync(join(home, 'gh'), 0o755);
  const PATH = `${home}:${process.env.PATH}`;
  const outcome = await run(approval, { PATH, GITHUB_REPOSITORY: 'octo/plants', GITHUB_SHA: '222' });
  expect(outcome).toEqual({ code, stdout, stderr: '' });
});

test.each([...stepsOf('deploy'), ...stepsOf('destroy')])('gets as far as AWS: %s', async (step) => {
  const { code, stdout, stderr } = await run(step, noAccount);
  expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('Unable to resolve AWS account')]);
});

// The CDK ignores an option that it does not know.
test.each(['deploy', 'destroy'])('uses options that cdk %s has', async (verb) => {
  const { stdout } = await run(`node_modules/.bin/cdk ${verb} --help`, noAccount);
  const used = stepsOf(verb).flatMap((step) => step.match(/ --\w[\w-]*/g) ?? []);
  expect(used).not.toEqual([]);
  expect(used.filter((option) => !new RegExp(`${option}[ ,]`).test(stdout))).toEqual([]);
});

const noAssembly = { CDK_OUTPUT: join(home, 'cdk.out'), AWS_EC2_METADATA_DISABLED: 'true' };

// The CDK's own message suggests a mistake in the stack.
const NO_CREDENTIALS = /^The CDK found no AWS credentials that work\. .* sign in or set AWS_PROFILE\.$/m;

test('npm run deploy:github without credentials says so, and gets as far as AWS', async () => {
  const options = '-c repository=octo/plants -c environments=pr,prod';
  const { code, stderr } = await run(`npm run deploy:github -- ${options}`, noAssembly);
  expect([code, stderr]).toEqual([1, expect.stringMatching(NO_CREDENTIALS)]);
  expect(stderr).toContain('Unable to resolve AWS account');
});

test('the CDK app prints nothing if the CDK has found credentials', async () => {
  const cdk = { CDK_CLI_VERSION: '2', CDK_DEFAULT_ACCOUNT: '123456789012', CDK_OUTDIR: join(home, 'out') };
  const context = { CDK_CONTEXT_JSON: '{"repository":"octo/plants","environments":"prod"}' };
  const { code, stdout, stderr } = await run('node bin/github-deployment.ts', { ...cdk, ...context });
  expect([code, stdout + stderr]).toEqual([0, '']);
});

test('npm run deploy:github reports an invalid option in one line', async () => {
  const { code, stderr } = await run('npm run deploy:github -- -c repository=plants', noAssembly);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^Nothing was synthesized: repository must be OWNER\/NAME .*; got "plants"/m),
  ]);
});

const [ofPullRequest = '', ...ofOtherStages] = stepsOf('conformance');

test(`compares the deployed stage: ${ofPullRequest}`, async () => {
  const { code, stdout } = await run(ofPullRequest, deployed);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Settled: \d+ same, 0 differ/m)]);
});

test.each(ofOtherStages)(
  'sends the requests of the step to the BaseUrl of its stack, which is unreachable here: %s',
  async (step) => {
    const { code, stderr } = await run(step, deployed);
    expect([code, stderr]).toEqual([1, expect.stringContaining('conformance: no connection')]);
  },
);

test.each(stepsOf('latency'))('measures the deployed stage: %s', async (step) => {
  const { code, stdout } = await run(step, deployed);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /Latency of 100 requests to http.*\n {2}first request +\d+ ms\n {2}median +\d+ ms\n {2}95 % +\d+ ms\n {2}99 % +\d+ ms\n/,
    ),
  ]);
});

test.each(stepsOf('sweep'))('finds no expired stage: %s', async (step) => {
  const { code, stdout } = await run(step, deployed);
  expect([code, stdout]).toEqual([0, expect.stringContaining('0 of 0 expired stages deleted.')]);
});
