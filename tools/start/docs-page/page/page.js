import { h, prose } from './elements.js';
import { operationsOf } from './operations.js';
import { showRequests } from './requests.js';
import { showTables } from './tables.js';

const element = (id) => document.getElementById(id);
const views = ['try', 'requests', 'tables'];
const token = document.querySelector('#token input');

function showView() {
  const shown = views.find((view) => `#${view}` === location.hash) ?? 'try';
  for (const view of views) {
    element(view).hidden = view !== shown;
    const link = document.querySelector(`nav a[href="#${view}"]`);
    if (view === shown) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  scrollTo(0, 0);
  if (shown === 'tables') void refreshTables();
}

let refreshing = Promise.resolve();
/** One after the other, so that each table appears once. */
function refreshTables() {
  if (element('tables').hidden) return;
  const unreadable = element('unreadable');
  refreshing = refreshing.then(async () => {
    const failure = await showTables(document.querySelector('#tables div')).catch(({ message }) => message);
    unreadable.textContent = failure === undefined ? '' : `The tables cannot be read: ${failure}`;
  });
}

/** Sends a request with the token of the page. */
function send({ method, target, type, body }) {
  const headers = {
    ...(type && { 'Content-Type': type }),
    ...(token.value && { Authorization: `Bearer ${token.value}` }),
  };
  // Unlike a string, bytes add no Content-Type of their own.
  const content = ['GET', 'HEAD'].includes(method) ? undefined : new TextEncoder().encode(body);
  return fetch(target, { method, headers, ...(content && { body: content }) });
}

addEventListener('hashchange', showView);
showView();
const [openapi, { text = '', client }] = await Promise.all(
  ['/docs/openapi.json', '/docs/access-token'].map(async (path) => (await fetch(path)).json()),
);
token.value = text;
element('token').open = client === undefined;
document
  .querySelector('#token summary')
  .append(
    ...(client === undefined
      ? ['Enter a token of your OpenID Connect provider']
      : ['The token of the client ', h('b', {}, client), ' is filled in']),
  );
element('about').append(...prose(openapi.info.description));
element('operations').append(...operationsOf(openapi, send));
void showRequests(document.querySelector('#requests ol'), element('connection'), send, refreshTables);
