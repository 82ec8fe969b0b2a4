import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator, synthesize } from '../../emulator/index.ts';
import { templateFile } from '../../lib/names.ts';
import type { Resource } from '../support/changed-assembly.ts';
import { type HttpResponse, send } from '../support/http.ts';
import type { Issuer } from '../support/issuer.ts';

export const AUDIENCE = 'plant-store';
export const SCOPE = 'plants:write';

/** The app, synthesized as `cdk deploy -c oidcIssuer=…` does it, for an issuer with a certificate of its own. */
export interface OidcAssembly {
  readonly folder: string;
  remove(): Promise<void>;
}

export async function synthesizeForOidc(issuer: Issuer): Promise<OidcAssembly> {
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-oidc-'));
  const context = { oidcIssuer: issuer.url, oidcAudience: AUDIENCE, oidcScope: SCOPE };
  await synthesize({ project: join(import.meta.dirname, '../..'), output: folder, context });
  await trustCertificate(issuer, folder);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** A deployed function trusts public authorities; this one has to be told of the issuer's certificate. */
async function trustCertificate({ certificate }: Issuer, folder: string): Promise<void> {
  const certificateFile = join(folder, 'issuer.pem');
  await writeFile(certificateFile, certificate);
  const file = join(folder, templateFile('dev'));
  const template = JSON.parse(await readFile(file, 'utf8'));
  const functions = Object.values<Resource>(template.Resources).filter(
    ({ Type }) => Type === 'AWS::Lambda::Function',
  );
  for (const { Properties } of functions) {
    Object.assign(Properties.Environment.Variables, { NODE_EXTRA_CA_CERTS: certificateFile });
  }
  await writeFile(file, JSON.stringify(template));
}

/** The service on the emulator, with fresh functions that know no key yet. */
export interface OidcService {
  readonly log: readonly string[];
  /** Creates a plant with this token. */
  create(token: string): Promise<HttpResponse>;
  stop(): Promise<void>;
}

export async function startOidcService({ folder }: OidcAssembly): Promise<OidcService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plant-store-data-'));
  const log: string[] = [];
  const stage = await startEmulator({
    assembly: folder,
    port: 0,
    dynamodbPort: 0,
    dataDir,
    host: '127.0.0.1',
    log: (line) => log.push(line),
  });
  return {
    log,
    create: (token) =>
      send(stage.url, {
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: '{"id":1,"name":"Ficus"}',
      }),
    stop: async () => {
      await stage.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
