import { codeOf, messageOf, UserError } from './user-error.ts';

export function listenError(
  error: unknown,
  variable: 'PORT' | 'DYNAMODB_PORT',
  host: string,
  port: number,
): UserError {
  const name = variable === 'PORT' ? 'Port' : "DynamoDB's port";
  if (codeOf(error) === 'EADDRINUSE') {
    return new UserError(
      `${name} ${port} is in use: set ${variable} to another port, or to 0 for any free one`,
    );
  }
  return new UserError(
    `${name} ${port} cannot be opened on ${host} (${messageOf(error)}): change HOST or ${variable}`,
  );
}
