import { folded, h, message, pill, pre, pretty, prose } from './elements.js';

/**
 * The operations of an OpenAPI document, each with a form; the first one is open.
 * @param send `(request) => Promise<Response>`
 */
export function operationsOf(document, send) {
  const at = (found, key) => found[key.replaceAll('~1', '/')];
  const resolve = (node) =>
    node?.$ref === undefined ? node : resolve(node.$ref.slice(2).split('/').reduce(at, document));
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
  );
  return operations.map((operation, index) => operationOf(operation, index === 0, resolve, send));
}

function operationOf(operation, open, resolve, send) {
  const { path, method, summary, description } = operation;
  const received = h('div', { class: 'received', 'aria-live': 'polite' });
  const form = formOf(operation, resolve, async (request) => {
    received.replaceChildren(h('p', {}, 'Waiting for the response …'));
    received.replaceChildren(...(await receivedOf(operation, resolve, send(request))));
    received.scrollIntoView({ block: 'nearest' });
  });
  const responses = Object.entries(operation.responses).map(([status, response]) =>
    documented(status, response, resolve),
  );
  const title = [h('b', {}, method.toUpperCase()), ' ', h('code', {}, path), ` ${summary}`];
  const right = h('div', {}, received, h('h2', {}, 'Documented responses'), responses);
  return h(
    'details',
    { class: 'operation', open },
    h('summary', {}, title),
    h('p', {}, prose(description)),
    h('div', { class: 'columns' }, form, right),
  );
}

function formOf({ path, method, parameters = [], requestBody }, resolve, submit) {
  const [type, content] = Object.entries(resolve(requestBody)?.content ?? {})[0] ?? [];
  const examples = Object.values(content?.examples ?? {}).map(resolve);
  const text = (index) => JSON.stringify(examples[index]?.value ?? {}, null, 2);
  const body = h('textarea', { rows: 7, spellcheck: 'false' }, text(0));
  const showExample = ({ target }) => {
    body.value = text(target.value);
  };
  const options = examples.map(({ summary }, index) => h('option', { value: index }, summary));
  const fields = parameters.map(resolve).map((parameter) => ({ ...parameter, input: h('input') }));
  const onsubmit = (event) => {
    event.preventDefault();
    const filled = fields.reduce(
      (target, { name, input }) => target.replace(`{${name}}`, encodeURIComponent(input.value)),
      path,
    );
    const query = fields
      .filter((field) => field.in === 'query' && field.input.value !== '')
      .map(({ name, input }) => `${encodeURIComponent(name)}=${encodeURIComponent(input.value)}`)
      .join('&');
    const target = query === '' ? filled : `${filled}?${query}`;
    void submit({ method: method.toUpperCase(), target, type, body: type && body.value });
  };
  return h(
    'form',
    { onsubmit },
    h('h2', {}, 'Request'),
    fields.map(({ name, description, input }) =>
      h('label', {}, h('code', {}, name), ' ', prose(description), input),
    ),
    options.length > 0
      ? h('label', {}, 'Example', h('select', { onchange: showExample }, options))
      : undefined,
    type === undefined ? undefined : h('label', {}, `Body (${type})`, body),
    h('button', { class: 'execute' }, 'Execute'),
    type === undefined ? undefined : folded('Fields', fieldsOf(content.schema, resolve)),
  );
}

function fieldsOf(schema, resolve) {
  const { required = [], properties = {}, description } = resolve(schema);
  const terms = Object.entries(properties).map(([name, property]) => {
    const { type, format, description } = resolve(property);
    const kind = [format ?? type, required.includes(name) ? 'required' : 'optional'].join(', ');
    return [h('dt', {}, h('code', {}, name), ` ${kind}`), h('dd', {}, prose(description))];
  });
  return [h('dl', {}, terms), h('p', {}, prose(description))];
}

/** What came back, and what a client does about it. */
async function receivedOf({ responses }, resolve, sent) {
  const startedAt = performance.now();
  try {
    const response = await sent;
    const body = await response.text();
    const { status } = response;
    const described = resolve(responses[status] ?? responses.default);
    const advice = described?.content?.['application/json']?.examples?.[errorIn(body)]?.description;
    const took = `${Math.round(performance.now() - startedAt)} ms`;
    return [
      h('h2', {}, 'Received ', pill(status), ` after ${took}`),
      pre(body === '' ? 'no body' : pretty(body)),
      h('p', { class: 'advice' }, prose(advice ?? described?.description)),
      message({ headers: [...response.headers], body })[1],
    ];
  } catch (error) {
    const text = `${error instanceof Error ? error.message : error}: check the token, and that npm start still runs.`;
    return [h('h2', {}, 'Received nothing'), h('p', {}, text)];
  }
}

function errorIn(body) {
  try {
    return JSON.parse(body).error;
  } catch {
    return undefined;
  }
}

function documented(status, reference, resolve) {
  const { description, headers = {}, content = {} } = resolve(reference);
  const { examples = {}, schema } = content['application/json'] ?? {};
  const shown = Object.values(examples).map(({ value, description }) =>
    h('li', {}, h('code', {}, JSON.stringify(value)), ' ', prose(description)),
  );
  const sent = Object.entries(headers).map(([name, header]) =>
    h('p', {}, 'Header ', h('code', {}, name), ': ', prose(resolve(header).description)),
  );
  const summary = [pill(status), ' ', prose(description)];
  return folded(summary, shown.length > 0 ? h('ul', {}, shown) : fieldsOf(schema ?? {}, resolve), sent);
}
