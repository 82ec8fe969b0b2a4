import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { EmulatorError } from '../../emulator/emulator-error.ts';
import { synthesize } from '../../emulator/synthesize.ts';
import { readAssembly } from '../../emulator/template/assembly.ts';

let project: string;
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'stage-project-'));
});
afterEach(() => rm(project, { recursive: true }));

const write = async (app: string) => {
  await writeFile(join(project, 'app.cjs'), app);
  await writeFile(
    join(project, 'cdk.json'),
    JSON.stringify({ app: 'node app.cjs', context: { a: 1, b: 2 } }),
  );
};

test('the app gets its output folder and its context as the CDK CLI gives them', async () => {
  await write(`
    const { mkdirSync, writeFileSync } = require('node:fs');
    const { CDK_OUTDIR, CDK_CONTEXT_JSON } = process.env;
    mkdirSync(CDK_OUTDIR);
    writeFileSync(CDK_OUTDIR + '/seen.json', JSON.stringify({ cwd: process.cwd(), version: process.version,
      context: JSON.parse(CDK_CONTEXT_JSON) }));`);
  const output = join(project, 'out');
  await synthesize({ project, output, context: { b: 3 } });
  await synthesize({ project, output, context: { b: 4 } });
  expect(JSON.parse(await readFile(join(output, 'seen.json'), 'utf8'))).toEqual({
    cwd: project,
    version: process.version,
    context: { a: 1, b: 4, 'aws:cdk:enable-asset-metadata': true, 'aws:cdk:enable-path-metadata': true },
  });
});

test('what is wrong with the app is said without its stack frames', async () => {
  await write(`console.error('Bundling asset Stack/Fn...'); throw new Error('oidcIssuer must be https');`);
  const error = await synthesize({ project, output: join(project, 'out') }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EmulatorError);
  const message = error instanceof Error ? error.message : '';
  expect(message).toMatch(/^The CDK app can't be synthesized \(node app.cjs\):\n/);
  expect(message).toContain('Error: oidcIssuer must be https');
  expect(message).not.toMatch(/^\s+at |Bundling/m);
});

test.each([
  ['itself', 'process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000);'],
  ['a shell that reports it', 'process.exit(130);'],
])('an app that is interrupted (%s) is said to be', async (_, app) => {
  await write(app);
  await expect(synthesize({ project, output: join(project, 'out') })).rejects.toThrow(
    /^Synthesizing the CDK app \(node app.cjs\) was interrupted by SIG(TERM|INT): start again$/,
  );
});

const annotated = (then: string) => `
  const { App, Annotations, Stack, CfnResource } = require(${JSON.stringify(createRequire(import.meta.filename).resolve('aws-cdk-lib'))});
  const stack = new Stack(new App(), 'Fixture');
  const topic = new CfnResource(stack, 'Topic', { type: 'AWS::SNS::Topic' });
  Annotations.of(topic).addWarningV2('test:careful', 'be careful');
  ${then}`;

test('an app with error annotations does not start', async () => {
  await write(annotated(`Annotations.of(topic).addError('a topic is no plant'); stack.node.root.synth();`));
  const output = join(project, 'out');
  await synthesize({ project, output });
  await expect(readAssembly(output)).rejects.toThrow(
    'The CDK app has errors, so it cannot be deployed. Fix them in lib/, and start again:\n/Fixture/Topic: a topic is no plant',
  );
}, 20_000);

test('an app with warnings does', async () => {
  await write(annotated('stack.node.root.synth();'));
  const output = join(project, 'out');
  await synthesize({ project, output });
  await expect(readAssembly(output)).resolves.toMatchObject({ stackName: 'Fixture' });
}, 20_000);

test('a project without cdk.json is named', async () => {
  await expect(synthesize({ project, output: join(project, 'out') })).rejects.toThrow(
    /cdk\.json can't be read: put it back/,
  );
});
