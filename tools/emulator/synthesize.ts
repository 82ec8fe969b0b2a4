import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { EmulatorError, messageOf } from './emulator-error.ts';
import { type JsonObject, objectAt, parseJson } from './json.ts';
import { Properties } from './properties.ts';

export interface SynthesizeOptions {
  /** The folder of cdk.json. */
  readonly project: string;
  /** The folder that receives the cloud assembly; what it held before is removed. */
  readonly output: string;
  /** Context over that of cdk.json, as `cdk synth -c` gives it. */
  readonly context?: JsonObject;
  /** Interrupts the CDK app. */
  readonly signal?: AbortSignal;
}

/** Set by the CDK CLI, for `aws:asset:path` and construct paths in the template. */
const cliContext: JsonObject = {
  'aws:cdk:enable-asset-metadata': true,
  'aws:cdk:enable-path-metadata': true,
};

/**
 * Runs the CDK app of cdk.json as `cdk synth --no-validation` would, without the second that the CLI takes to load.
 * CloudFormation's rules matter to a deployment only, and loading them takes a third of a synthesis.
 * @throws EmulatorError with what the app wrote to stderr if the app fails
 */
export async function synthesize({
  project,
  output,
  context = {},
  signal: interrupt,
}: SynthesizeOptions): Promise<void> {
  const settings = await readSettings(join(project, 'cdk.json'));
  await rm(output, { recursive: true, force: true });
  const path = [dirname(process.execPath), join(project, 'node_modules', '.bin'), process.env.PATH ?? ''];
  const env = {
    ...process.env,
    PATH: path.join(delimiter),
    // What it writes to stderr is read.
    FORCE_COLOR: '0',
    CDK_VALIDATION: 'false',
    CDK_OUTDIR: output,
    CDK_CONTEXT_JSON: JSON.stringify({
      ...settings.context,
      ...cliContext,
      ...context,
    }),
  };
  interrupt?.throwIfAborted();
  const { code, signal, stderr } = await run(settings.app, project, env, interrupt);
  if (signal !== undefined)
    throw new EmulatorError(
      `Synthesizing the CDK app (${settings.app}) was interrupted by ${signal}: start again`,
    );
  if (code !== 0)
    throw new EmulatorError(`The CDK app cannot be synthesized (${settings.app}):\n${explanation(stderr)}`);
}

async function readSettings(file: string): Promise<{ app: string; context: JsonObject }> {
  try {
    const settings = objectAt(parseJson(await readFile(file, 'utf8')), 'cdk.json');
    const context = objectAt(settings.context, 'cdk.json.context');
    return { app: Properties.of(settings, 'cdk.json').string('app'), context };
  } catch (error) {
    throw new EmulatorError(`${file} cannot be read: restore it, or fix it (${messageOf(error)})`);
  }
}

function run(
  command: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  interrupt: AbortSignal | undefined,
): Promise<{ code: number | null; signal: string | undefined; stderr: string }> {
  return new Promise((resolve, reject) => {
    // A process group of its own, because a signal to a shell does not reach its command.
    const detached = interrupt !== undefined && process.platform !== 'win32';
    const app = spawn(command, { cwd, env, shell: true, detached, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    app.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    interrupt?.addEventListener('abort', () => {
      if (app.pid === undefined || app.exitCode !== null || app.signalCode !== null) return;
      process.kill(detached ? -app.pid : app.pid);
    });
    app.on('error', reject);
    app.on('close', (code, signal) => resolve({ code, signal: signal ?? signalOf(code), stderr }));
  });
}

/** A shell exits with 128 plus the number of the signal that ended its command. */
function signalOf(code: number | null): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0];
}

/** The error in a CDK app's stderr, with its line of code, without stack frames and the progress of bundling. */
function explanation(stderr: string): string {
  const noise = /^\s+at |^Node\.js v|^npm warn|^Bundling asset |^⚡|^\s*$/;
  const lines = stderr.split('\n').filter((line) => !noise.test(line));
  // The CDK begins its own errors with their name: «CannotFindAsset» ….
  const error = lines.findIndex((line) => /^(?:\w+: )?\w*Error\b|^\[?«/.test(line));
  const place = lines.findLastIndex((line, index) => index < error && /^(?!node:)\S+:\d+$/.test(line));
  // The CDK's own code is minified.
  const isReadable = place >= 0 && lines.slice(place, error).every(({ length }) => length < 200);
  return lines.slice(Math.max(isReadable ? place : error, 0)).join('\n');
}
