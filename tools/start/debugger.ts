import { close, open, url } from 'node:inspector';
import { EmulatorError } from '@plant-store/emulator';

const DEFAULT_PORT = 9229;
/** How long requests and threads have to end. */
const GRACE_MS = 2_000;

/**
 * The port in `--inspect` or `--inspect=PORT`; undefined without this option.
 * @throws EmulatorError if there is another argument
 */
export function inspectPort(args: readonly string[]): number | undefined {
  const [argument, ...more] = args;
  if (argument === undefined) return undefined;
  const [, port] = /^--inspect(?:=(\d{1,5}))?$/.exec(argument) ?? [argument, 'unknown'];
  const number = port === undefined ? DEFAULT_PORT : Number(port);
  if (more.length === 0 && number <= 65_535) return number;
  throw new EmulatorError(
    `Unknown arguments ${args.join(' ')}; expected --inspect, --inspect=PORT or --help.`,
  );
}

/**
 * Lets a debugger attach, on loopback only. Every function is a thread of this process, so one port serves all.
 * @throws EmulatorError if the port is in use
 */
export function openInspector(port: number): void {
  open(port, '127.0.0.1');
  // Node only prints why it cannot listen.
  if (url() === undefined)
    throw new EmulatorError(
      `The debugger's port ${port} is in use: set --inspect to another, or to 0 for any`,
    );
}

/**
 * Detaches debuggers, and ends this process even if a function is paused: then its thread cannot be terminated. No
 * acknowledged plant is lost.
 */
export function endInspector(cleanUp: () => Promise<void>): void {
  if (url() === undefined) return;
  close();
  setTimeout(() => void cleanUp().finally(() => process.kill(process.pid, 'SIGKILL')), GRACE_MS);
}
