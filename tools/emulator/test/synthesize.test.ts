import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { EmulatorError, synthesize } from '../index.ts';
import { readAssembly } from '../template/assembly.ts';

let project: string;
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'emulator-project-'));
});
afterEach(() => rm(project, { recursive: true }));

const write = async (app: string) => {
  await writeFile(join(project, 'app.cjs'), app);
  await writeFile(
    join(project, 'cdk.json'),
    JSON.stringify({ app: 'node app.cjs', context: { a: 1, b: 2 } }),
  );
};

test('runs the CDK app with its output folder and its context as the CDK CLI does', async () => {
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

test.each([undefined, '1'])(
  'reports the error of a CDK app with its line of code, without its stack frames, if FORCE_COLOR is %s',
  async (color) => {
    if (color !== undefined) process.env.FORCE_COLOR = color;
    await write(`console.error('Bundling asset Stack/Fn...');\nthrow new Error('oidcIssuer must be https');`);
    const error = await synthesize({ project, output: join(project, 'out') }).catch(
      (reason: unknown) => reason,
    );
    delete process.env.FORCE_COLOR;
    expect(error).toBeInstanceOf(EmulatorError);
    const message = error instanceof Error ? error.message : '';
    expect(message).toMatch(/^The CDK app cannot be synthesized \(node app.cjs\):\n/);
    expect(message).toMatch(
      /^\/.*app\.cjs:2\nthrow new Error\(.*\);\n *\^\nError: oidcIssuer must be https$/m,
    );
    expect(message).not.toMatch(/ {4}at |Bundling/);
  },
);

test('reports an error of the CDK from its name on', async () => {
  const stderr = [
    'node:internal/modules/run_main:107',
    '    triggerUncaughtException(',
    '«CannotFindAsset» Cannot find asset at /plants',
    '    at new Asset (/aws-cdk-lib/index.js:1:1)',
  ];
  await write(`console.error(${JSON.stringify(stderr.join('\n'))});\nprocess.exit(1);`);
  await expect(synthesize({ project, output: join(project, 'out') })).rejects.toThrow(
    /^The CDK app cannot be synthesized \(node app.cjs\):\n«CannotFindAsset» Cannot find asset at \/plants$/,
  );
});

test.each([
  ['a signal', 'process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000);'],
  ['the exit code of a shell', 'process.exit(130);'],
])('reports that a CDK app was interrupted, by %s', async (_, app) => {
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

test('rejects an app with error annotations', async () => {
  await write(
    annotated(`Annotations.of(topic).addError('a topic is not a plant'); stack.node.root.synth();`),
  );
  const output = join(project, 'out');
  await synthesize({ project, output });
  await expect(readAssembly(output)).rejects.toThrow(
    'The CDK app has errors, so it cannot be deployed. Fix them, and start again:\n/Fixture/Topic: a topic is not a plant',
  );
});

test('accepts an app with warnings', async () => {
  await write(annotated('stack.node.root.synth();'));
  const output = join(project, 'out');
  await synthesize({ project, output });
  await expect(readAssembly(output)).resolves.toMatchObject({ stackName: 'Fixture' });
});

test.each([
  ['no', undefined, 'ENOENT'],
  ['an array as', '[]', 'cdk.json must be an object'],
  ['half a', '{"app": ', '.*JSON'],
  ['no app in', '{"context": {}}', 'cdk.json.app is missing'],
])('rejects a project with %s cdk.json', async (_, json, reason) => {
  if (json !== undefined) await writeFile(join(project, 'cdk.json'), json);
  await expect(synthesize({ project, output: join(project, 'out') })).rejects.toThrow(
    new RegExp(`cdk\\.json cannot be read: restore it, or fix it \\(${reason}`),
  );
});
