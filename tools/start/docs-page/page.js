const dark = matchMedia('(prefers-color-scheme: dark)');
const followColorScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followColorScheme);
followColorScheme();

const [openapi, { accessToken }] = await Promise.all(
  ['/docs/openapi.json', '/docs/access-token'].map(async (path) => (await fetch(path)).json()),
);

const page = SwaggerUIBundle({
  dom_id: '#interface',
  spec: { ...openapi, servers: [{ url: location.origin, description: 'This machine' }] },
  docExpansion: 'full',
  tryItOutEnabled: true,
  defaultModelsExpandDepth: -1,
  // The colors of the default theme have too little contrast.
  syntaxHighlight: { theme: 'tomorrow-night' },
  // By default, Swagger UI sends the document to a validator on the internet.
  validatorUrl: null,
  onComplete: () => page.preauthorizeApiKey('accessToken', accessToken),
  responseInterceptor: showExplanation,
});

/** Selects the example of the error that was received: page.css shows its explanation below the response. */
function showExplanation(response) {
  page.oas3Actions.setActiveExamplesMember({
    name: String(response.obj?.error),
    pathMethod: ['/plants', 'post'],
    contextType: 'responses',
    contextName: String(response.status),
  });
  return response;
}
