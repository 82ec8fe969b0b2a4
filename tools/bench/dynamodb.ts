import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localhostCertificate } from '../../test/support/certificate.ts';
import { tokenItems } from './inputs.ts';
import { type Endpoint, onCore } from './measure.ts';

interface RunningStub extends Endpoint {
  readonly stop: () => void;
}

/** Starts the DynamoDB stub, on a different core from the measured function if this machine can pin processes. */
export async function startDynamoDB(folder: string): Promise<RunningStub> {
  const [key, certificate, tokens] = ['key.pem', 'certificate.pem', 'tokens.json'].map((name) =>
    join(folder, name),
  );
  if (key === undefined || certificate === undefined || tokens === undefined) throw new Error('no files');
  const { key: privateKey, cert } = localhostCertificate;
  writeFileSync(key, privateKey);
  writeFileSync(certificate, cert);
  writeFileSync(tokens, JSON.stringify(tokenItems));
  const [command, args] = onCore('dynamodb', [
    join(import.meta.dirname, 'dynamodb-stub.ts'),
    key,
    certificate,
    tokens,
  ]);
  const stub = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(stub.stdout.setEncoding('utf8'), 'data');
  return { url: `https://localhost:${port.trim()}`, certificate, stop: () => stub.kill() };
}
