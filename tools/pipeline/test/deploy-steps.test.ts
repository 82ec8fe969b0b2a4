/** Runs the steps of deploy.yml as GitHub does. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
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
const [approval = '', ...others] = steps.filter((step) => !step.startsWith('npm '));

// The home folder of the steps, in which the CDK and npm write files.
const home = mkdtempSync(join(tmpdir(), 'plant-store-home-'));

let cloudFormation: CloudFormation;
let dynamodb: ScriptedServer;
let deployed: Record<string, string>;
beforeAll(async () => {
  const outputs = { TokensTableName: 'Tokens', BaseUrl: 'http://127.0.0.1:1' };
  const stages = ['pr-7', 'staging', 'prod'].map((stage) => [`PlantStore-${stage}`, { outputs }]);
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

test('the tests in this file run or check every step of deploy.yml except npm ci', () => {
  const tested = ['deploy', 'destroy', 'conformance', 'sweep'].flatMap(stepsOf);
  expect(new Set(steps)).toEqual(new Set(['npm ci', approval, ...tested]));
  expect([tested.length, others]).toEqual([8, []]);
});

test('deploy.yml uses no stored credentials, and each of its jobs has an environment', () => {
  expect(jobs).toHaveLength(4);
  expect(deploy).not.toMatch(/secrets\.|aws-access-key-id/);
  for (const job of jobs) expect(job).toMatch(/^ {4}environment: \w+$/m);
});

test('the prod job first checks that its commit is the newest commit on main', () => {
  const prod = jobs.find((job) => job.startsWith('prod:')) ?? '';
  expect(valuesOf(prod, 'run')[0]).toBe(approval);
});

test.each([
  ['accepts the newest commit on main', 'echo 222', 0, ''],
  [
    'rejects an older commit, for example if somebody approves it late',
    'echo 333',
    1,
    'main is now at 333; approve the run for that commit instead\n',
  ],
  ['fails if GitHub does not respond', 'exit 4', 4, ''],
])('the prod job %s', async (_what, gh, code, stdout) => {
  writeFileSync(
    join(home, 'gh'),
    `#!/bin/sh\ntest "$*" = 'api repos/octo/plants/commits/main --jq .sha' || exit 9\n${gh}\n`,
  );
  chmodSync(join(home, 'gh'), 0o755);
  const PATH = `${home}:${process.env.PATH}`;
  const outcome = await run(approval, { PATH, GITHUB_REPOSITORY: 'octo/plants', GITHUB_SHA: '222' });
  expect(outcome).toEqual({ code, stdout, stderr: '' });
});

// Only PlantStoreGitHub sets this role; if stages set it too, each pull request's stage would leave a role behind.
test('deploy.yml deploys all three stages with the same options, and none of them sets the account’s logging role', () => {
  expect(stepsOf('deploy')).toEqual(
    ['"$STAGE"', 'staging', 'prod'].map(
      (stage) => `npm run deploy -- -c stage=${stage} -c apiGatewayLogRole=leave --require-approval never`,
    ),
  );
});

// The CDK would ignore an unknown option.
test.each(['deploy', 'destroy'])('deploy.yml uses only options that cdk %s has', (verb) => {
  const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
  expect(scripts[verb]).toBe(`cdk ${verb}`);
  const file = join(PROJECT, 'node_modules/aws-cdk/lib/cli/cli-type-registry.json');
  const { options } = JSON.parse(readFileSync(file, 'utf8')).commands[verb];
  const used = stepsOf(verb).flatMap((step) => step.match(/(?<= --)\w[\w-]*/g) ?? []);
  expect(used).not.toEqual([]);
  expect(used.filter((option) => !(option in options))).toEqual([]);
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
  const env = { ...noAccount, CDK_OUTPUT: join(home, 'cdk.out') };
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

test.each(stepsOf('conformance'))(
  'in deploy.yml, this step sends requests to the BaseUrl of the deployed stack: %s',
  async (step) => {
    const { code, stderr } = await run(step, deployed);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/conformance: no connection.*127\.0\.0\.1:1\)/),
    ]);
  },
);

test.each(stepsOf('sweep'))(
  'in deploy.yml, this step deletes nothing if no stage has expired: %s',
  async (step) => {
    const { code, stdout } = await run(step, deployed);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Deleted 0 of 0 expired stages.')]);
  },
);
