import { code, folded, h, message, pill } from './elements.js';

const MAX_REQUESTS = 100;

/**
 * Shows the last requests as they come, while the page is in view.
 * @param onChange called when there are requests, and when the service responds again
 */
export async function showRequests(list, connection, send, onChange) {
  let newest = 1;
  let connected = false;
  for (;;) {
    const hidden = new AbortController();
    const hide = () => document.hidden && hidden.abort();
    document.addEventListener('visibilitychange', hide);
    try {
      // The service responds to 0 at once, and to any other number when there is a request.
      const response = await fetch(`/docs/requests?after=${connected ? newest : 0}`, {
        signal: hidden.signal,
      });
      const exchanges = (await response.json()).filter(({ number }) => number > newest);
      for (const exchange of exchanges) list.prepend(rowOf(exchange, send));
      while (list.children.length > MAX_REQUESTS) list.lastChild.remove();
      newest = exchanges.at(-1)?.number ?? newest;
      connection.textContent = '';
      onChange(!connected);
      connected = true;
    } catch {
      connected = false;
      if (!document.hidden) connection.textContent = 'npm start does not respond: this page waits for it.';
    }
    document.removeEventListener('visibilitychange', hide);
    await new Promise((resolve) => setTimeout(resolve, 250));
    await inView();
  }
}

function inView() {
  return new Promise((resolve) => {
    if (!document.hidden) resolve();
    else document.addEventListener('visibilitychange', resolve, { once: true });
  });
}

function rowOf({ time, method, target, status, error, client, milliseconds, request, response, log }, send) {
  const type = request.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const again = () => void send({ method, target, type, body: request.body }).catch(() => {});
  const summary = [
    h('time', { datetime: time }, new Date(time).toLocaleTimeString()),
    h('code', {}, ` ${method} ${target} `),
    pill(status, [status, error].join(' ').trim()),
    ` ${client ?? 'no client'} ${milliseconds} ms`,
  ];
  const both = [
    h('div', {}, h('h2', {}, 'Request'), message(request)),
    h('div', {}, h('h2', {}, 'Response'), message(response)),
  ];
  const title = request.complete ? 'With the token of this page' : 'Not all of the body is kept';
  return h(
    'li',
    {},
    folded(summary, h('div', { class: 'columns' }, both), log === '' ? undefined : code('Log', log)),
    h('button', { onclick: again, disabled: !request.complete, title }, 'Send again'),
  );
}
