import { open, url } from 'node:inspector';
import { UserError } from '@plant-store/emulator';

const DEFAULT_PORT = 9229;

/**
 * Returns the port that `--inspect` or `--inspect=PORT` selects, or undefined if there are no arguments.
 * @throws UserError if there are any other arguments
 */
export function inspectPort(args: readonly string[]): number | undefined {
  if (args.length === 0) return undefined;
  const matched = /^--inspect(?:=(\d{1,5}))?$/.exec(args.join(' '));
  const port = Number(matched?.[1] ?? DEFAULT_PORT);
  if (matched !== null && port <= 65_535) return port;
  throw new UserError(`Expected --inspect, --inspect=PORT (at most 65535) or --help, got ${args.join(' ')}`);
}

/**
 * Lets a debugger attach, on loopback only. Every function runs in a thread of this process, so one port is enough.
 * @throws UserError if the port is in use
 */
export function openInspector(port: number): void {
  open(port, '127.0.0.1');
  // If Node cannot listen on the port, it prints the reason but does not throw.
  if (url() === undefined) {
    throw new UserError(
      `The debugger's port ${port} is in use: select a different port with --inspect=PORT (0 picks a free port)`,
    );
  }
}
