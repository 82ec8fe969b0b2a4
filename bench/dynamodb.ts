import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tokenItems } from './inputs.ts';
import { type Endpoint, onCore } from './measure.ts';

interface RunningStub extends Endpoint {
  readonly stop: () => void;
}

/** Starts the DynamoDB stub, on another core than the measured function. */
export async function startDynamoDB(folder: string): Promise<RunningStub> {
  const [key, certificate, tokens] = ['key.pem', 'certificate.pem', 'tokens.json'].map((name) =>
    join(folder, name),
  );
  if (key === undefined || certificate === undefined || tokens === undefined) throw new Error('no files');
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key];
  execFileSync('openssl', ['req', '-x509', ...newKey, '-days', '2', ...subject, '-out', certificate], {
    stdio: 'ignore',
  });
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
