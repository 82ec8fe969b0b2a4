import { join } from 'node:path';
import { synthesize } from '../emulator/index.ts';
import { BUNDLES_FOLDER } from '../lib/names.ts';

/** Synthesizes the stack, each time into a new folder. */
export class Synthesizer {
  readonly #project: string;
  readonly #folder: string;
  #count = 0;
  #interruption = new AbortController();
  #ended: Promise<unknown> = Promise.resolve();

  /** @param folder the parent of the assemblies and of the bundles that they name */
  constructor(project: string, folder: string) {
    this.#project = project;
    this.#folder = folder;
  }

  /**
   * Synthesizes what is saved. The synthesis before must have ended.
   * @returns the folder of the assembly; undefined if it was interrupted
   * @throws EmulatorError if the CDK app fails
   */
  async synthesize(): Promise<string | undefined> {
    this.#interruption = new AbortController();
    const { signal } = this.#interruption;
    this.#count += 1;
    const output = join(this.#folder, `assembly.${this.#count}`);
    const context = {
      [BUNDLES_FOLDER]: this.#folder,
      // The bundles stay where they are, under the names of their functions.
      'aws:cdk:disable-asset-staging': true,
    };
    const synthesis = synthesize({ project: this.#project, output, context, signal });
    this.#ended = synthesis.catch(() => {});
    try {
      await synthesis;
      return output;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  /** Ends a synthesis in progress. */
  interrupt(): void {
    this.#interruption.abort();
  }

  /** Ends a synthesis in progress, and resolves when its process has ended. */
  async stop(): Promise<void> {
    this.interrupt();
    await this.#ended;
  }
}
