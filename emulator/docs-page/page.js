const [openapi, { accessToken }] = await Promise.all(
  ['/docs/openapi.json', '/docs/access-token'].map(async (path) => (await fetch(path)).json()),
);

const page = SwaggerUIBundle({
  dom_id: '#interface',
  spec: { ...openapi, servers: [{ url: location.origin, description: 'This machine' }] },
  docExpansion: 'full',
  tryItOutEnabled: true,
  defaultModelsExpandDepth: -1,
  // By default, Swagger UI sends the document to a validator on the internet.
  validatorUrl: null,
  onComplete: () => page.preauthorizeApiKey('accessToken', accessToken),
});
