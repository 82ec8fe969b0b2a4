/** Shows openapi.json with Swagger UI. Requests go to this service, with its token. */
const [{ servers, ...spec }, token] = await Promise.all([
  fetch('/openapi.json').then((response) => response.json()),
  fetch('/docs/token').then((response) => response.text()),
]);

const dark = matchMedia('(prefers-color-scheme: dark)');
const applyColorScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyColorScheme);
applyColorScheme();

/** Shows a JSON response as it came. Swagger UI would parse it, which rounds large numbers. */
const asItCame = ({ React }) => ({
  wrapComponents: {
    responseBody: (ResponseBody) => (props) =>
      React.createElement(ResponseBody, { ...props, contentType: 'text/plain' }),
  },
});

for (const rule of [
  // The contract has no links, and their column makes the page wider than a phone.
  '.response-col_links { display: none; }',
  // Swagger UI has no dark color for this label.
  '.dark-mode .swagger-ui .examples-select__section-label { color: white; }',
])
  document.styleSheets[0].insertRule(rule, document.styleSheets[0].cssRules.length);

const ui = window.SwaggerUIBundle({
  dom_id: '#page',
  spec,
  docExpansion: 'full',
  tryItOutEnabled: true,
  defaultModelsExpandDepth: -1,
  plugins: [asItCame],
  onComplete: () => {
    ui.specActions.updateUrl('/openapi.json');
    if (token) ui.preauthorizeApiKey('accessToken', token);
  },
});
