import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { reasonOf, UserError } from './errors.ts';
import { type Json, type JsonObject, objectAt, stringAt } from './json.ts';

interface SynthesizeOptions {
  /** The folder that contains cdk.json. */
  readonly project: string;
  /** The folder that receives the cloud assembly; its previous content is removed. */
  readonly output: string;
  /** Context values that override those in cdk.json, like `cdk synth -c`. */
  readonly context?: JsonObject;
  readonly signal?: AbortSignal;
}

/**
 * Runs the CDK app as `cdk synth --no-validation` would, but without the CLI, which takes a second to load.
 * CloudFormation's validation rules matter only for deployments, and loading them takes a third of the synthesis time.
 * @throws UserError with what the app prints, if it fails
 */
export async function synthesize({
  project,
  output,
  context = {},
  signal: interrupt,
}: SynthesizeOptions): Promise<void> {
  const json: Json = await readFile(join(project, 'cdk.json'), 'utf8')
    .then(JSON.parse)
    .catch((error: unknown) => {
      throw new UserError(`cdk.json cannot be read (${reasonOf(error)}): correct it`);
    });
  const settings = objectAt(json, 'cdk.json');
  const app = stringAt(settings.app, 'the app in cdk.json');
  await rm(output, { recursive: true, force: true });
  const path = [
    dirname(process.execPath),
    join(project, 'node_modules', '.bin'),
    process.env.PATH ?? '',
  ];
  const env = {
    ...process.env,
    PATH: path.join(delimiter),
    CDK_VALIDATION: 'false',
    CDK_OUTDIR: output,
    CDK_CONTEXT_JSON: JSON.stringify({
      ...objectAt(settings.context, 'the context in cdk.json'),
      // The CDK CLI sets these too, to add `aws:asset:path` and construct paths to the template.
      'aws:cdk:enable-asset-metadata': true,
      'aws:cdk:enable-path-metadata': true,
      ...context,
    }),
  };
  interrupt?.throwIfAborted();
  // The app runs in its own process group, because a signal to a shell does not reach the command that the shell runs.
  const detached = interrupt !== undefined && process.platform !== 'win32';
  const child = spawn(app, {
    cwd: project,
    env,
    shell: true,
    detached,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  interrupt?.addEventListener('abort', () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    process.kill(detached ? -child.pid : child.pid);
  });
  // An app that runs `tsc`, like that of `cdk init`, prints the compiler's errors to stdout.
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (code !== 0)
    throw new UserError(
      `The CDK app cannot be synthesized (${app}):\n${readable(stdout + stderr)}`,
    );
}

/** Leaves out stack frames, which FORCE_COLOR makes gray, and the CDK's minified code. */
function readable(printed: string): string {
  const isFrame = (line: string) => /^\s+at /.test(stripVTControlCharacters(line));
  const lines = printed.split('\n').filter((line) => line.length < 1_000 && !isFrame(line));
  return lines.join('\n').trim();
}
