/** Creates an element. A property that begins with `on` is a listener; any other is an attribute. */
export function h(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined));
  return element;
}

/** Text in which `code` stands between backticks. */
export function prose(text = '') {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : h('code', {}, part)));
}

export function pill(status, text = status) {
  return h('span', { class: `pill status-${String(status)[0]}` }, String(text));
}

export function folded(summary, ...children) {
  return h('details', {}, h('summary', {}, summary), ...children);
}

/** Parses JSON, and keeps the digits of every number. */
export function exact(text) {
  return JSON.parse(text, (_, value, { source }) =>
    typeof value === 'number' ? JSON.rawJSON(source) : value,
  );
}

/** Indents JSON; any other text is returned unchanged. */
export function pretty(text) {
  try {
    return JSON.stringify(exact(text), null, 2);
  } catch {
    return text;
  }
}

/** A message's body and headers. */
export function message({ headers, body, complete = true }) {
  const rest = complete ? '' : '\n… not all of the body, or not as it was sent';
  const lines = headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  return [code('Body', body === '' ? 'none' : pretty(body) + rest), folded('Headers', pre(lines))];
}

export function pre(text) {
  return h('pre', { tabindex: 0 }, h('code', {}, text));
}

export function code(label, text) {
  return h('figure', {}, h('figcaption', {}, label), pre(text));
}

/** Reads JSON from the service. */
export async function json(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}
