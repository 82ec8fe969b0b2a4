import { once } from 'node:events';
import { createServer } from 'node:net';
import { assertReachable } from './dynamodb/client.ts';
import { startEmbeddedDynamoDB } from './dynamodb/embedded.ts';
import { codeOf, EmulatorError, messageOf } from './emulator-error.ts';
import { listenError } from './listen.ts';
import type { Settings } from './settings.ts';

/**
 * Checks what `startEmulator` will need, before the seconds of a synthesis: the ports, the data folder, DynamoDB.
 *
 * @param inspectPort the debugger's, if there is one
 * @throws EmulatorError with a line for each setting that cannot be used
 */
export async function assertAvailable(settings: Settings, inspectPort?: number): Promise<void> {
  const { host, port, dynamodbPort, dataDir, dynamodbEndpoint } = settings;
  const checks = [assertFree({ host, port, variable: 'PORT', name: 'Port' })];
  if (inspectPort !== undefined) {
    const inspector = { host: '127.0.0.1', port: inspectPort, variable: '--inspect' };
    checks.push(assertFree({ ...inspector, name: "The debugger's port" }));
  }
  if (dynamodbEndpoint === undefined) {
    const dynamodb = { host, port: dynamodbPort, variable: 'DYNAMODB_PORT', name: "DynamoDB's port" };
    checks.push(assertFree(dynamodb), assertUsable(dataDir));
  } else {
    checks.push(assertReachable(dynamodbEndpoint));
  }
  const results = await Promise.allSettled(checks);
  const errors: unknown[] = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason] : [],
  );
  const unexpected = errors.find((error) => !(error instanceof EmulatorError));
  if (unexpected !== undefined) throw unexpected;
  const messages = new Set(errors.map(messageOf));
  if (messages.size > 0) throw new EmulatorError([...messages].join('\n'));
}

async function assertFree(address: Parameters<typeof listenError>[2]): Promise<void> {
  const server = createServer();
  try {
    server.listen(address.port, address.host);
    await once(server, 'listening');
  } catch (error) {
    throw listenError(codeOf(error), messageOf(error), address) ?? error;
  }
  server.close();
  await once(server, 'close');
}

/** Only opening a folder shows whether it is in use, damaged or read-only. */
async function assertUsable(dataDir: string): Promise<void> {
  const dynamodb = await startEmbeddedDynamoDB({ dataDir, host: '127.0.0.1', port: 0 });
  await dynamodb.stop();
}
