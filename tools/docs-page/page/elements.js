/** Creates an element with properties of the DOM, such as `className` and `onclick`. */
export function h(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children.flat(Infinity));
  return element;
}

/** Text in which `code` stands between backticks. */
export function prose(text = '') {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : h('code', {}, part)));
}

export function badge(status, ...rest) {
  return h('span', { className: `badge status-${String(status)[0]}` }, [status, ...rest].join(' '));
}

export function folded(summary, ...children) {
  return h('details', {}, h('summary', {}, h('span', {}, summary)), children);
}

/** Indents JSON, and keeps the digits of every number; any other text is returned unchanged. */
export function pretty(text) {
  try {
    const exact = (_, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value);
    return JSON.stringify(JSON.parse(text, exact), null, 2);
  } catch {
    return text;
  }
}

export function pre(text) {
  return h('pre', { tabIndex: 0 }, h('code', {}, text));
}

/** A message's body and headers. */
export function message({ headers, body, complete = true }) {
  const lines = headers.map(([name, value]) => `${name}: ${value}\n`);
  const rest = complete ? '' : '\n… not all of the body, or not as it was sent';
  return [pre((pretty(body) || 'no body') + rest), folded('Headers', pre(lines.join('')))];
}
