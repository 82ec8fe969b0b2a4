import { createServer } from 'node:https';
import { localhostCertificate } from './certificate.ts';
import { listenOnLoopback } from './loopback.ts';
import { ecKey, rsaKey, type SigningKey } from './signing-key.ts';

/** How the issuer responds to requests for its documents. */
export type Behavior =
  | 'well'
  | 'slow'
  | 'dead'
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
  /** How many times clients have fetched the keys. */
  fetches: number;
  stop(): Promise<void>;
}

export async function startIssuer(): Promise<Issuer> {
  const { cert, key } = localhostCertificate;
  const server = createServer({ key, cert });
  const { port, stop } = await listenOnLoopback(server);
  const url = `https://localhost:${port}/tenant`;

  const issuer: Issuer = {
    url,
    certificate: cert,
    keys: [rsaKey('rsa-1'), ecKey('ec-1')],
    malformedKeys: [],
    behavior: 'well',
    fetches: 0,
    stop,
  };
  server.on('request', (request, response) => {
    const send = (status: number, body: string) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
    };
    if (issuer.behavior === 'dead') return request.socket.destroy();
    if (issuer.behavior === 'slow') return undefined;
    if (issuer.behavior === 'failing') return send(503, '{}');
    if (issuer.behavior === 'garbage') return send(200, '<html>Sign in</html>');
    if (request.url === '/tenant/.well-known/openid-configuration') {
      const name = issuer.behavior === 'impostor' ? 'https://impostor.example' : url;
      const protocol = issuer.behavior === 'insecure keys' ? 'http' : 'https';
      const jwks_uri = issuer.behavior === 'no keys' ? undefined : `${protocol}://localhost:${port}/keys`;
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
