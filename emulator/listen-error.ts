import { EmulatorError } from './emulator-error.ts';

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** The environment variable that chose the port. */
  readonly variable: string;
  /** How a sentence about the port begins, for example `Port`. */
  readonly name: string;
}

/** Says which setting keeps a server from listening; undefined if `code` doesn't tell that one does. */
export function listenError(
  code: string | undefined,
  message: string,
  { host, port, variable, name }: Listening,
): EmulatorError | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return new EmulatorError(`${name} ${port} is in use: set ${variable} to another, or to 0 for any`);
    case 'EACCES':
      return new EmulatorError(
        `${name} ${port} needs rights that you don't have: set ${variable} to another (${message})`,
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
      return new EmulatorError(`HOST must be an address of this machine, and is "${host}" (${message})`);
    default:
      return undefined;
  }
}
