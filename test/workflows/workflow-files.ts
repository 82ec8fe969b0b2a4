import { load } from 'js-yaml';
import { read } from '../support/pages/code-blocks.ts';

interface Step {
  readonly if?: string;
  readonly uses?: string;
  readonly with?: object;
  readonly run?: string;
  readonly env?: object;
}

interface Job {
  readonly if?: string;
  readonly needs?: string;
  readonly permissions?: object;
  readonly environment?: string;
  readonly concurrency?: string;
  readonly container?: string;
  readonly 'timeout-minutes': number;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly file: string;
  readonly text: string;
  readonly on: Readonly<Record<string, object | null>>;
  readonly permissions: object;
  readonly concurrency?: { readonly group: string };
  readonly jobs: Readonly<Record<string, Job>>;
  /** Only of dependabot.yml. */
  readonly updates?: readonly { readonly cooldown?: object }[];
}

export function readWorkflow(file: string): Workflow {
  const text = read(file);
  return { file, text, ...load(text) };
}
