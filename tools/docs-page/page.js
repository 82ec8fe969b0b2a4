/** Shows openapi.json with Swagger UI. Requests go to this service, with its token. */
const [spec, token] = await Promise.all([
  fetch('/docs/openapi.json').then((response) => response.json()),
  fetch('/docs/token').then((response) => response.text()),
]);
const ui = window.SwaggerUIBundle({
  dom_id: '#page',
  spec: { ...spec, servers: [{ url: '/' }] },
  tryItOutEnabled: true,
  defaultModelsExpandDepth: -1,
  onComplete: () => token && ui.preauthorizeApiKey('accessToken', token),
});
