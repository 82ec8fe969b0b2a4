import type { AddressInfo } from 'node:net';
import { EmulatorError } from './emulator-error.ts';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** The environment variable that sets the port. */
  readonly variable: string;
  /** The port's name in messages, for example `Port`. */
  readonly name: string;
}

/** Names the setting that keeps a server from listening; undefined if `code` is about none. */
export function listenError(
  code: string | undefined,
  message: string,
  { host, port, variable, name }: ListenOptions,
): EmulatorError | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return new EmulatorError(`${name} ${port} is in use: set ${variable} to another, or to 0 for any`);
    case 'EACCES':
      return new EmulatorError(
        `${name} ${port} needs rights that you do not have: set ${variable} to another (${message})`,
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

/** The address of a TCP server that listens. */
export function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new TypeError('not a listening TCP server');
  return address;
}
