import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { type Json, type JsonObject, objectOf, parseJson, required, textOf } from './json.ts';
import { messageOf, StageError } from './stage-error.ts';

export interface SynthesizeOptions {
  /** The folder of cdk.json. */
  readonly project: string;
  /** The folder that receives the cloud assembly; what it held before is removed. */
  readonly output: string;
  /** Context over that of cdk.json, as `cdk synth -c` gives it. */
  readonly context?: JsonObject;
}

/** What the CDK CLI switches on for `aws:asset:path` and construct paths to be in the template. */
const cliContext: JsonObject = {
  'aws:cdk:enable-asset-metadata': true,
  'aws:cdk:enable-path-metadata': true,
};

/**
 * Runs the CDK app of cdk.json as the CDK CLI would, without the second that the CLI takes to load.
 * @throws StageError with what the app wrote to stderr, if the app fails
 */
export async function synthesize({ project, output, context = {} }: SynthesizeOptions): Promise<void> {
  const settings = objectOf(await readJson(join(project, 'cdk.json')), 'cdk.json');
  const command = required(textOf(settings['app'], 'cdk.json: app'), 'cdk.json: app');
  await rm(output, { recursive: true, force: true });
  const path = [dirname(process.execPath), join(project, 'node_modules', '.bin'), process.env['PATH'] ?? ''];
  const { code, stderr } = await run(command, project, {
    ...process.env,
    PATH: path.join(delimiter),
    CDK_OUTDIR: output,
    CDK_CONTEXT_JSON: JSON.stringify({
      ...objectOf(settings['context'], 'cdk.json: context'),
      ...cliContext,
      ...context,
    }),
  });
  if (code !== 0)
    throw new StageError(`The CDK app can't be synthesized (${command}):\n${explanation(stderr)}`);
}

async function readJson(file: string): Promise<Json> {
  try {
    return parseJson(await readFile(file, 'utf8'));
  } catch (error) {
    throw new StageError(`${file} can't be read: ${messageOf(error)}`);
  }
}

function run(
  command: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; stderr: string }> {
  return new Promise((resolve, reject) => {
    const app = spawn(command, { cwd, env, shell: true, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    app.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    app.on('error', reject);
    app.on('close', (code) => resolve({ code: code ?? 1, stderr }));
  });
}

/** What went wrong, without stack frames and the progress of bundling. */
function explanation(stderr: string): string {
  const noise = /^\s+at |^Node\.js v|^npm warn|^Bundling asset |^⚡|^\s*$/;
  const lines = stderr.split('\n').filter((line) => !noise.test(line));
  // Node shows the line of code that threw before it names the error.
  const error = lines.findIndex((line) => /^(?:\w+: )?\w*Error\b/.test(line));
  return lines.slice(Math.max(error, 0)).join('\n');
}
