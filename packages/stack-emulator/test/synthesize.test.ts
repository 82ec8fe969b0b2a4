import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { synthesize, UserError } from '../index.ts';

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

test('reports what a CDK app has printed when a signal ends the app', async () => {
  await writeFile(join(project, 'cdk.json'), '{"app":"echo full; kill $$"}');
  const synthesis = synthesize({ project, output: join(project, 'out') });
  await expect(synthesis).rejects.toThrow(/^The CDK app cannot .*\nfull$/);
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
