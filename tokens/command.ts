import type { ParseArgsOptionsConfig } from 'node:util';
import type { TokenStore } from './token-store.ts';

/** What the operator typed after the name of a command. */
export interface CommandArguments {
  /** The NAME or NAME-OR-ID. */
  readonly argument: string | undefined;
  readonly option: (name: string) => string | undefined;
}

/** What a command has to say. */
export interface Answer {
  /** For people, on stdout. */
  readonly text: string;
  /** For people, on stderr: so that `$(…)` catches the text alone. */
  readonly note?: string;
  /** For scripts, in place of both. */
  readonly json: unknown;
}

/** One of the token commands. */
export interface Command {
  /** What to type: its name and what it takes besides the options that all commands have. */
  readonly synopsis: string;
  /** What it does and what its options mean. */
  readonly usage: string;
  /** Its own options; those that say where the tokens are, all commands have. */
  readonly options: ParseArgsOptionsConfig;
  /** Checks what was typed before it connects to the store. @throws OperatorError */
  run(args: CommandArguments, connect: () => Promise<TokenStore>): Promise<Answer>;
}
