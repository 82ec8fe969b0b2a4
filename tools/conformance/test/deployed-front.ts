import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { localhostCertificate } from '../../../test/support/certificate.ts';
import { listenOnLoopback } from '../../../test/support/loopback.ts';

/** A server that behaves like a deployed stage: it uses TLS with SNI, and returns 403 for paths outside the stage. */
export interface DeployedFront {
  readonly url: string;
  /** The statuses of the service's responses so far. */
  readonly statuses: number[];
  /** The path of the certificate, for NODE_EXTRA_CA_CERTS. */
  readonly certificateFile: string;
  stop(): Promise<void>;
}

const FORBIDDEN = '{"message":"Forbidden"}';

export async function startDeployedFront(serviceUrl: string, stage: string): Promise<DeployedFront> {
  const { hostname, port: servicePort } = new URL(serviceUrl);
  const { cert, key } = localhostCertificate;
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-certificate-'));
  const certificateFile = join(folder, 'certificate.pem');
  await writeFile(certificateFile, cert);

  const statuses: number[] = [];
  const server = createServer({ key, cert }, (client) => {
    client.on('error', () => {});
    if (client.servername !== 'localhost') client.destroy();
    client.once('data', (start) => {
      const [, path = ''] = start.toString('latin1').split(' ');
      if (!path.startsWith(`${stage}/`)) {
        client.end(
          `HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: ${FORBIDDEN.length}\r\n\r\n${FORBIDDEN}`,
        );
        return;
      }
      const service = connect(Number(servicePort), hostname);
      service.once('data', (head) => statuses.push(Number(head.toString('latin1').split(' ')[1])));
      service.on('error', () => client.destroy()).pipe(client);
      service.write(start.toString('latin1').replace(` ${stage}`, ' '), 'latin1');
      client.pipe(service);
    });
  });
  const { port, stop } = await listenOnLoopback(server);
  return {
    url: `https://localhost:${port}${stage}`,
    statuses,
    certificateFile,
    stop: async () => {
      await stop();
      await rm(folder, { recursive: true });
    },
  };
}
