import type { AddressInfo } from 'node:net';
import { codeOf, EmulatorError, messageOf } from './emulator-error.ts';

/** The names of the ports, by the environment variables that set them. */
const names = { PORT: 'Port', DYNAMODB_PORT: "DynamoDB's port" };

/** Returns an error that names the settings to change if a server cannot listen. */
export function listenError(
  error: unknown,
  variable: keyof typeof names,
  host: string,
  port: number,
): EmulatorError {
  const name = names[variable];
  if (codeOf(error) === 'EADDRINUSE')
    return new EmulatorError(
      `${name} ${port} is in use: set ${variable} to another port, or to 0 for any free one`,
    );
  return new EmulatorError(
    `${name} ${port} cannot be opened on ${host} (${messageOf(error)}): change HOST or ${variable}`,
  );
}

/** The address of a listening TCP server. */
export function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new TypeError('not a listening TCP server');
  return address;
}
