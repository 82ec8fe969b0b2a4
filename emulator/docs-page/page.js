const [openapi, { accessToken }] = await Promise.all(
  ['/docs/openapi.json', '/docs/access-token'].map(async (path) => (await fetch(path)).json()),
);

const page = SwaggerUIBundle({
  dom_id: '#interface',
  spec: { ...openapi, servers: [{ url: location.origin, description: 'This machine' }] },
  docExpansion: 'full',
  tryItOutEnabled: true,
  defaultModelsExpandDepth: -1,
  // Else it would ask a server of its own whether the document is valid.
  validatorUrl: null,
  onComplete: () => page.preauthorizeApiKey('accessToken', accessToken),
});
