import type { AddressInfo } from 'node:net';
import { codeOf, EmulatorError, messageOf } from './emulator-error.ts';

/** The ports by the environment variable that sets each. */
const names = { PORT: 'Port', DYNAMODB_PORT: "DynamoDB's port" };

/** Names the settings that keep a server from listening. */
export function listenError(
  error: unknown,
  variable: keyof typeof names,
  host: string,
  port: number,
): EmulatorError {
  const name = names[variable];
  if (codeOf(error) === 'EADDRINUSE')
    return new EmulatorError(`${name} ${port} is in use: set ${variable} to another, or to 0 for any`);
  return new EmulatorError(
    `${name} ${port} cannot be opened on ${host}: set HOST or ${variable} to another (${messageOf(error)})`,
  );
}

/** The address of a TCP server that listens. */
export function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new TypeError('not a listening TCP server');
  return address;
}
