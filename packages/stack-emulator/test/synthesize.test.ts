import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { synthesize, UserError } from '../index.ts';
import { writeAssembly } from './fixtures/assembly.ts';
import { startProcess } from './fixtures/emulator.ts';
import { routesTo } from './fixtures/resources.ts';

let project: string;
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'emulator-project-'));
});
afterEach(() => rm(project, { recursive: true }));

const write = async (app: string) => {
  await writeFile(join(project, 'app.cjs'), app);
  const settings = { app: 'node app.cjs', context: { a: 1, b: 2 } };
  await writeFile(join(project, 'cdk.json'), JSON.stringify(settings));
};

test('runs the CDK app with an output folder and context, like the CDK CLI', async () => {
  await write(`
    const { mkdirSync, writeFileSync } = require('node:fs');
    const { CDK_OUTDIR, CDK_CONTEXT_JSON } = process.env;
    mkdirSync(CDK_OUTDIR);
    writeFileSync(CDK_OUTDIR + '/seen.json', JSON.stringify({ cwd: process.cwd(), version: process.version,
      path: process.env.PATH, context: JSON.parse(CDK_CONTEXT_JSON) }));`);
  const output = join(project, 'out');
  await synthesize({ project, output, context: { b: 3 } });
  await synthesize({ project, output, context: { b: 4 } });
  expect(JSON.parse(await readFile(join(output, 'seen.json'), 'utf8'))).toEqual({
    cwd: project,
    version: process.version,
    path: expect.stringContaining(join(project, 'node_modules/.bin')),
    context: {
      a: 1,
      b: 4,
      'aws:cdk:enable-asset-metadata': true,
      'aws:cdk:enable-path-metadata': true,
    },
  });
});

test('reports what a failing CDK app prints, such as the line of code, without stack frames', async () => {
  await write(`console.log('app.ts(1,1): error');\nthrow new Error('oidcIssuer must be https');`);
  process.env.FORCE_COLOR = '1';
  const error = await synthesize({ project, output: join(project, 'out') }).catch(
    (reason: unknown) => reason,
  );
  delete process.env.FORCE_COLOR;
  expect(error).toBeInstanceOf(UserError);
  expect(String(error)).toMatch(
    /app\.ts\(1,1\): error\n.*app\.cjs:2\nthrow new Error.*\nError: oidcIssuer must be https\n/s,
  );
  expect(String(error)).not.toMatch(/ at /);
});

test('the script in README.md serves the API of another project, and prints its URL', async () => {
  const assembly = await writeAssembly(routesTo({ Greet: 'exports.handler = async () => ({});' }));
  await write(
    `require('node:fs').cpSync('${assembly}', process.env.CDK_OUTDIR, { recursive: true })`,
  );
  await symlink(join(import.meta.dirname, '../../../node_modules'), join(project, 'node_modules'));
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');
  const [, script = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  const args = ['--input-type=module-typescript', '--eval', script];
  const env = { ...process.env, PORT: '0', DYNAMODB_PORT: '0', TMPDIR: project };
  const { child, line, stderr } = await startProcess(args, project, env);
  const response = await fetch(`${line.split(' ')[0]}/Greet`, { method: 'POST' });
  child.kill();
  expect(line).toMatch(/^http:\/\/127\.0\.0\.1:\d+ \{\} \[\]$/);
  expect(response.status).toBe(200);
  await Promise.all([stderr, rm(assembly, { recursive: true })]);
});
