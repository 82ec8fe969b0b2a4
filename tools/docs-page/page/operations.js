import { badge, folded, h, message, parsed, prose, sideBySide } from './elements.js';
import { json, send } from './service.js';

const openapi = await json('/docs/openapi.json');
const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([name, operation]) => ({ ...operation, path, method: name.toUpperCase() })),
);

/** The OpenAPI document's description, which applies to all responses. */
export const about = prose(openapi.info.description);

/** Returns the OpenAPI document's advice to clients about a response. */
export function adviceOf(status, error, of = operations) {
  const described = of.map(({ responses }) => resolve(responses[status] ?? responses.default));
  const examples = described.map((response) => response?.content?.['application/json']?.examples?.[error]);
  return h('p', {}, prose([...examples, ...described].find((each) => each?.description)?.description));
}

/** Returns a form and the documentation for each operation. Only the first operation is expanded. */
export function forms() {
  return operations.map((operation, index) => {
    const { path, method, summary, description, responses } = operation;
    const received = h('div', { className: 'received', ariaLive: 'polite' });
    const form = formOf(operation, async (request) => {
      received.replaceChildren('Waiting for the response …');
      received.replaceChildren(...(await receivedOf(operation, request)));
      received.scrollIntoView({ block: 'nearest' });
    });
    const documented = [h('h2', {}, 'Documented responses'), Object.entries(responses).map(responseOf)];
    const parts = [h('p', {}, prose(description)), sideBySide(form, h('div', {}, received, documented))];
    const element = folded([h('b', {}, method), ' ', h('code', {}, path), ` ${summary}`], parts);
    return Object.assign(element, { className: 'operation', open: index === 0 });
  });
}

function formOf({ path, method, parameters = [], requestBody }, submit) {
  const [type, content] = Object.entries(resolve(requestBody)?.content ?? {})[0] ?? [];
  const examples = Object.values(content?.examples ?? {}).map(resolve);
  const options = examples.map(({ summary }, value) => h('option', { value }, summary));
  const choice = h('select', { onchange: () => fill(choice.value) }, options);
  const body = h('textarea', { rows: 7, spellcheck: false });
  const fill = (example) => {
    body.value = JSON.stringify(examples[example]?.value ?? {}, null, 2);
  };
  fill(0);
  const inputs = parameters.map(resolve).map(({ name, description, in: place }) => {
    const input = h('input', { name, className: place });
    return h('label', {}, h('code', {}, name), ' ', prose(description), input);
  });
  const onsubmit = (event) => {
    event.preventDefault();
    const { elements } = event.target;
    const filled = path.replace(/\{(.+?)\}/g, (_, name) => encodeURIComponent(elements[name].value));
    const values = [...elements].filter(({ className, value }) => className === 'query' && value !== '');
    const query = new URLSearchParams(values.map(({ name, value }) => [name, value]));
    const target = query.size > 0 ? `${filled}?${query}` : filled;
    void submit({ method, target, type, body: type && body.value });
  };
  const ofBody = type ? [h('label', {}, 'Example', choice), h('label', {}, `Body (${type})`, body)] : [];
  const fields = type ? folded('Fields', fieldsOf(content.schema)) : '';
  return h('form', { onsubmit }, h('h2', {}, 'Request'), inputs, ofBody, h('button', {}, 'Execute'), fields);
}

async function receivedOf(operation, request) {
  const startedAt = performance.now();
  try {
    const response = await send(request);
    const body = await response.text();
    const took = ` after ${Math.round(performance.now() - startedAt)} ms`;
    const advice = adviceOf(response.status, parsed(body)?.error, [operation]);
    const title = h('h2', {}, 'Received ', badge(response.status), took);
    return [title, message({ headers: [...response.headers], body }, advice)].flat();
  } catch ({ message }) {
    return [
      'Received no response: ',
      message,
      '. Check that npm start is still running, and that the token is complete.',
    ];
  }
}

function responseOf([status, reference]) {
  const { description, headers = {}, content = {} } = resolve(reference);
  const { examples = {}, schema = {} } = content['application/json'] ?? {};
  const shown = Object.values(examples).map((example) =>
    h('li', {}, h('code', {}, JSON.stringify(example.value)), ' ', prose(example.description)),
  );
  const sent = Object.entries(headers).map(([name, header]) =>
    h('li', {}, 'Header ', h('code', {}, name), ': ', prose(resolve(header).description)),
  );
  const fields = shown.length > 0 ? '' : fieldsOf(schema);
  return folded([badge(status), ' ', prose(description)], h('ul', {}, shown, sent), fields);
}

function fieldsOf(schema) {
  const { required = [], properties = {}, description } = resolve(schema);
  const terms = Object.entries(properties).map(([name, property]) => {
    const { type, format = type, description } = resolve(property);
    const kind = ` ${format}, ${required.includes(name) ? 'required' : 'optional'}`;
    return [h('dt', {}, h('code', {}, name), kind), h('dd', {}, prose(description))];
  });
  return [h('dl', {}, terms), h('p', {}, prose(description))];
}

function resolve(node) {
  const keys = node?.$ref?.slice(2).split('/');
  return keys ? resolve(keys.reduce((found, key) => found[key.replaceAll('~1', '/')], openapi)) : node;
}
