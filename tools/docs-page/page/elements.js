/** Creates an element with the given DOM properties, such as `className` and `onclick`. */
export function h(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children.flat(Infinity));
  return element;
}

/** Turns text between backticks into `code` elements. */
export function prose(text = '') {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : h('code', {}, part)));
}

export function badge(status, error) {
  return h('span', { className: `badge status-${String(status)[0]}` }, [status, error].join(' ').trim());
}

export function folded(summary, ...children) {
  return h('details', {}, h('summary', {}, h('span', {}, summary)), children);
}

export function sideBySide(left, right) {
  for (const element of [left, right]) element.className = 'col-6';
  return h('div', { className: 'row' }, left, right);
}

export function pre(text) {
  return h('pre', { tabIndex: 0 }, text);
}

/** Shows the body of a request or response, a remark about that body, and the headers. */
export function message({ headers, body, complete = true }, remark = '') {
  const exact = (_, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value);
  const pretty = parsed(body, exact);
  const shown = pretty === undefined ? body || 'no body' : JSON.stringify(pretty, null, 2);
  const rest = complete ? '' : '\n… (not the exact body: tokens are hidden, and long bodies are cut off)';
  const lines = headers.map(([name, value]) => `${name}: ${value}\n`);
  return [pre(shown + rest), remark, folded('Headers', pre(lines.join('')))];
}

/** Parses JSON. Returns undefined for any other text. */
export function parsed(text, reviver) {
  try {
    return JSON.parse(text, reviver);
  } catch {
    return undefined;
  }
}
