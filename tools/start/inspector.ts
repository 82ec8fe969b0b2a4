import { open, url } from 'node:inspector';
import { UserError } from '../command-line/failures.ts';

const DEFAULT_PORT = 9229;

/**
 * Lets a debugger attach, on loopback only, if the arguments are `--inspect` or `--inspect=PORT`. Functions and
 * integrations then have no timeouts (the emulator's debugger.ts). One port is enough, because every function runs in
 * a thread of this process.
 * @throws UserError if there are any other arguments, or if the port is in use
 */
export function openInspector(args: readonly string[]): void {
  if (process.env.npm_config_inspect !== undefined) {
    throw new UserError('npm kept --inspect for itself: run npm start -- --inspect');
  }
  if (args.length === 0) return;
  const matched = /^--inspect(?:=(\d{1,5}))?$/.exec(args.join(' '));
  const port = Number(matched?.[1] ?? DEFAULT_PORT);
  if (matched === null || port > 65_535) {
    throw new UserError(`Expected --inspect, --inspect=PORT or --help, got ${args.join(' ')}`);
  }
  open(port, '127.0.0.1');
  // If Node cannot listen on the port, it prints the reason but does not throw.
  if (url() === undefined) {
    throw new UserError(
      `The debugger's port ${port} is in use: select a different port with --inspect=PORT (0 picks a free port)`,
    );
  }
}
