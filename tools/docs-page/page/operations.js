import { badge, folded, h, message, prose } from './elements.js';
import { json, send } from './service.js';

const openapi = await json('/docs/openapi.json');
const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    path,
    method: method.toUpperCase(),
  })),
);

/** What stands in the OpenAPI document about all responses. */
export const about = prose(openapi.info.description);

/** A form for each operation; the first one is open. */
export function forms() {
  return operations.map((operation, index) => {
    const { path, method, summary, description, responses } = operation;
    const received = h('div', { className: 'received', ariaLive: 'polite' });
    const form = formOf(operation, async (request) => {
      received.replaceChildren(h('p', {}, 'Waiting for the response …'));
      received.replaceChildren(...(await receivedOf(send(request), operation)));
      received.scrollIntoView({ block: 'nearest' });
    });
    const title = [h('b', {}, method), ' ', h('code', {}, path), ` ${summary}`];
    const right = h(
      'div',
      {},
      received,
      h('h2', {}, 'Documented responses'),
      Object.entries(responses).map(documented),
    );
    const both = h('div', { className: 'columns' }, form, right);
    return Object.assign(folded(title, h('p', {}, prose(description)), both), {
      className: 'operation',
      open: index === 0,
    });
  });
}

/** What a client does about a response, as the OpenAPI document says it of these operations. */
export function adviceOf(status, error, of = operations) {
  const described = of.map(({ responses }) => resolve(responses[status] ?? responses.default));
  const examples = described.map((response) => response?.content?.['application/json']?.examples?.[error]);
  return prose([...examples, ...described].find((each) => each?.description)?.description);
}

function formOf({ path, method, parameters = [], requestBody }, submit) {
  const [type, content] = Object.entries(resolve(requestBody)?.content ?? {})[0] ?? [];
  const examples = Object.values(content?.examples ?? {}).map(resolve);
  const fields = parameters.map(resolve).map((field) => ({ ...field, input: h('input') }));
  const body = h('textarea', { rows: 7, spellcheck: false });
  const choice = h(
    'select',
    { onchange: () => fill(choice.value) },
    examples.map(({ summary }, value) => h('option', { value }, summary)),
  );
  const fill = (example) => {
    body.value = JSON.stringify(examples[example]?.value ?? {}, null, 2);
  };
  fill(0);
  const onsubmit = (event) => {
    event.preventDefault();
    const fieldsIn = (place) =>
      fields
        .filter((field) => field.in === place && field.input.value)
        .map(({ name, input }) => [name, input.value]);
    const target = fieldsIn('path').reduce(
      (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(value)),
      path,
    );
    const query = new URLSearchParams(fieldsIn('query'));
    void submit({
      method,
      target: query.size > 0 ? `${target}?${query}` : target,
      type,
      body: type && body.value,
    });
  };
  return h(
    'form',
    { onsubmit },
    h('h2', {}, 'Request'),
    fields.map(({ name, description, input }) =>
      h('label', {}, h('code', {}, name), ' ', prose(description), input),
    ),
    examples.length > 0 ? h('label', {}, 'Example', choice) : '',
    type ? h('label', {}, `Body (${type})`, body) : '',
    h('button', {}, 'Execute'),
    type ? folded('Fields', fieldsOf(content.schema)) : '',
  );
}

async function receivedOf(sent, operation) {
  const startedAt = performance.now();
  try {
    const response = await sent;
    const body = await response.text();
    const took = `after ${Math.round(performance.now() - startedAt)} ms`;
    const [shown, headers] = message({ headers: [...response.headers], body });
    const advice = h('p', {}, adviceOf(response.status, errorIn(body), [operation]));
    return [h('h2', {}, 'Received ', badge(response.status), ` ${took}`), shown, advice, headers];
  } catch (error) {
    return [
      h('h2', {}, 'Received nothing'),
      h('p', {}, `${error.message}: check the token, and that npm start still runs.`),
    ];
  }
}

function errorIn(body) {
  try {
    return JSON.parse(body).error;
  } catch {
    return undefined;
  }
}

function documented([status, reference]) {
  const { description, headers = {}, content = {} } = resolve(reference);
  const { examples = {}, schema = {} } = content['application/json'] ?? {};
  const items = Object.values(examples).map(({ value, description }) =>
    h('li', {}, h('code', {}, JSON.stringify(value)), ' ', prose(description)),
  );
  const sent = Object.entries(headers).map(([name, header]) =>
    h('li', {}, 'Header ', h('code', {}, name), ': ', prose(resolve(header).description)),
  );
  return folded(
    [badge(status), ' ', prose(description)],
    h('ul', {}, items, sent),
    items.length > 0 ? '' : fieldsOf(schema),
  );
}

function fieldsOf(schema) {
  const { required = [], properties = {}, description } = resolve(schema);
  const terms = Object.entries(properties).map(([name, property]) => {
    const { type, format = type, description } = resolve(property);
    return [
      h('dt', {}, h('code', {}, name), ` ${format}, ${required.includes(name) ? 'required' : 'optional'}`),
      h('dd', {}, prose(description)),
    ];
  });
  return [h('dl', {}, terms), h('p', {}, prose(description))];
}

function resolve(node) {
  const keys = node?.$ref?.slice(2).split('/');
  return keys === undefined
    ? node
    : resolve(keys.reduce((found, key) => found[key.replaceAll('~1', '/')], openapi));
}
