import { h, json, prose } from './elements.js';
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

let given = '';
/** Fills in the token of the service, unless another one has been typed. */
async function readToken() {
  const { text = '', client } = await json('/docs/access-token');
  if (token.value === given) token.value = text;
  given = text;
  element('token').open ||= client === undefined;
  const summary =
    client === undefined
      ? ['Enter a token of your OpenID Connect provider']
      : ['The token of the client ', h('b', {}, client), ' is filled in'];
  document.querySelector('#token summary').replaceChildren(...summary);
}

addEventListener('hashchange', showView);
showView();
const [openapi] = await Promise.all([json('/docs/openapi.json'), readToken()]);
element('about').append(...prose(openapi.info.description));
element('operations').append(...operationsOf(openapi, send));
void showRequests(document.querySelector('#requests ol'), element('connection'), send, (isRestarted) => {
  // After a restart, the data may be others, and the token that was filled in unknown.
  if (isRestarted) void readToken();
  refreshTables();
});
