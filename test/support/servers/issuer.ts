import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:https';
import { localhostCertificate } from './localhost-certificate.ts';
import { listenOnLoopback } from './loopback.ts';

export type Behavior =
  | 'well'
  | 'slow'
  | 'failing'
  | 'garbage'
  | 'impostor'
  | 'insecure keys'
  | 'no key set'
  | 'no keys';

/** An OpenID Connect issuer that serves a discovery document and a JWKS with two keys over HTTPS on loopback. */
export interface Issuer {
  readonly url: string;
  /** The certificate to trust, in PEM format. */
  readonly certificate: string;
  keys: SigningKey[];
  /** Keys to publish before the issuer's own keys. */
  malformedKeys: unknown[];
  behavior: Behavior;
  fetches: number;
}

export async function startIssuer(): Promise<Issuer> {
  const { cert, key } = localhostCertificate;
  const server = createServer({ key, cert });
  const { port } = await listenOnLoopback(server);
  const url = `https://localhost:${port}/tenant`;

  const issuer: Issuer = {
    url,
    certificate: cert,
    keys: [rsaKey('rsa-1'), ecKey('ec-1')],
    malformedKeys: [],
    behavior: 'well',
    fetches: 0,
  };
  server.on('request', (request, response) => {
    const send = (status: number, body: string) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
    };
    if (issuer.behavior === 'slow') return undefined;
    if (issuer.behavior === 'failing') return send(503, '{}');
    if (issuer.behavior === 'garbage') return send(200, '<html>Sign in</html>');
    if (request.url === '/tenant/.well-known/openid-configuration') {
      const name = issuer.behavior === 'impostor' ? 'https://impostor.example' : url;
      const protocol = issuer.behavior === 'insecure keys' ? 'http' : 'https';
      const jwks_uri =
        issuer.behavior === 'no keys' ? undefined : `${protocol}://localhost:${port}/keys`;
      return send(200, JSON.stringify({ issuer: name, jwks_uri }));
    }
    if (request.url !== '/keys') return send(404, '{}');
    issuer.fetches += 1;
    if (issuer.behavior === 'no key set') return send(200, '{"keys":{}}');
    return send(
      200,
      JSON.stringify({ keys: [...issuer.malformedKeys, ...issuer.keys.map(({ jwk }) => jwk)] }),
    );
  });
  return issuer;
}

export interface SigningKey {
  readonly kid: string;
  readonly publicKey: KeyObject;
  readonly jwk: object;
  sign(payload: object, header?: object): string;
}

export function rsaKey(kid: string): SigningKey {
  return signingKey(kid, 'RS256', generateKeyPairSync('rsa', { modulusLength: 2048 }));
}

export function ecKey(kid: string): SigningKey {
  return signingKey(kid, 'ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' }));
}

function signingKey(
  kid: string,
  alg: string,
  { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject },
): SigningKey {
  return {
    kid,
    publicKey,
    // Omits `alg`, as RFC 7517 allows, so that only the code under test decides which algorithm the key allows.
    jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' },
    sign: (payload, header = {}) =>
      jwt({ alg, typ: 'at+jwt', kid, ...header }, payload, (input) =>
        sign('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
      ),
  };
}

/** Returns a JWT, with the header and the payload signed by `signer`. */
export function jwt(header: object, payload: object, signer: (input: Buffer) => Buffer): string {
  const signingInput = `${base64url(header)}.${base64url(payload)}`;
  return `${signingInput}.${signer(Buffer.from(signingInput)).toString('base64url')}`;
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
