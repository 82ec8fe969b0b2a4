/** Shows openapi.json with Swagger UI. Requests go to this service, with its token. */
const [{ servers, ...spec }, token] = await Promise.all([
  fetch('/openapi.json').then((response) => response.json()),
  fetch('/docs/token').then((response) => response.text()),
]);

const { matches: isDark } = matchMedia('(prefers-color-scheme: dark)');
document.documentElement.classList.toggle('dark-mode', isDark);

spec.info.description = `Requests go to this machine. [docs/api.md](/docs/api.md) has examples in other languages.\n\n${spec.info.description ?? ''}`;
// Lists the error codes, because the browser's search finds no text in a closed list of examples.
for (const response of Object.values(spec.components?.responses ?? {})) {
  const examples = Object.values(response.content?.['application/json']?.examples ?? {});
  const lines = examples.map(({ summary }) => `- ${summary}`).sort();
  if (lines.length > 1) response.description += `\n\n${lines.join('\n')}`;
}

const responses = ({ React }) => ({
  wrapComponents: {
    /** Shows a JSON response as it came. Swagger UI would parse it, which rounds large numbers. */
    responseBody: (ResponseBody) => (props) =>
      React.createElement(ResponseBody, { ...props, contentType: 'text/plain' }),
    liveResponse: (LiveResponse) => (props) => {
      const shown = React.useRef(null);
      React.useEffect(() => {
        shown.current.scrollIntoView({ block: 'nearest' });
      }, [props.response]);
      return React.createElement('div', { ref: shown }, React.createElement(LiveResponse, props));
    },
  },
});

for (const rule of [
  // Without these four rules, a reader must scroll to the button Execute.
  '.swagger-ui .info { margin: 10px 0; }',
  '.swagger-ui .scheme-container { margin: 0; padding: 10px 0; }',
  '.swagger-ui textarea { min-height: 100px; }',
  '.opblock-section:has(> .parameters-container > .opblock-description-wrapper) > :not(.opblock-section-request-body) { display: none; }',
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
  plugins: [responses],
  onComplete: () => {
    ui.specActions.updateUrl('/openapi.json');
    if (token) ui.preauthorizeApiKey('accessToken', token);
  },
});
