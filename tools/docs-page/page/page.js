import { badge, folded, h, message, pre, sideBySide } from './elements.js';
import { about, adviceOf, forms } from './operations.js';
import { json, send } from './service.js';

const POLL_MS = 500;
const MAX_REQUESTS = 100;

const find = (selector) => document.querySelector(selector);
const links = [...document.querySelectorAll('nav a')];
const refreshTable = new Map();
let isConnected = false;
let isStale = true;
let filledToken = '';
let newest = 0;

function showView() {
  const shown = links.find(({ hash }) => hash === location.hash) ?? links[0];
  for (const link of links) {
    link.ariaCurrent = String(link === shown);
    find(link.hash).hidden = link !== shown;
  }
  scrollTo(0, 0);
  isStale = true;
}

/** Shows new requests and items and, after the service has restarted, its new token. */
async function refresh() {
  if (!isConnected) await readToken();
  if (await readRequests()) isStale = true;
  if (isStale && !find('#tables').hidden) {
    isStale = false;
    await readTables();
  }
}

/** Fills in the service's token, unless the user has typed a different one. */
async function readToken() {
  const { text = '', client } = await json('/docs/token');
  const input = find('#token input');
  if (input.value === filledToken) input.value = text;
  filledToken = text;
  find('#token').open ||= client === undefined;
  input.oninput = () => {
    const state = input.value === text ? 'is filled in' : 'was filled in, but you replaced it';
    const filled = ['A token for the client ', h('b', {}, client), ` ${state}`];
    const missing = ['Enter a token from your OpenID Connect provider'];
    find('#token span').replaceChildren(...(client === undefined ? missing : filled));
  };
  input.oninput();
}

/** Shows new requests, and returns whether there were any. */
async function readRequests() {
  const exchanges = await json(`/docs/requests?after=${newest}`);
  const list = find('#requests ol');
  for (const exchange of exchanges) list.prepend(rowOf(exchange));
  while (list.children.length > MAX_REQUESTS) list.lastChild.remove();
  newest = exchanges.at(-1)?.number ?? newest;
  return exchanges.length > 0;
}

function rowOf(exchange) {
  const { time, method, target, status, error, client, milliseconds, request, response, log } = exchange;
  const sentAt = new Date(time).toLocaleTimeString();
  const code = h('code', {}, `${method} ${target}`);
  const sender = client === undefined ? 'no client' : `[${client}]`;
  const columns = [sentAt, code, badge(status, error), `${milliseconds} ms`, sender];
  const summary = columns.map((column) => h('span', {}, column, ' '));
  const sent = h('div', {}, h('h2', {}, 'Request'), message(request));
  const received = h('div', {}, h('h2', {}, 'Response'), message(response, adviceOf(status, error)));
  const logged = log === '' ? [] : [h('h2', {}, 'Log'), pre(log)];
  const type = request.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const onclick = () => void send({ method, target, type, body: request.body }).catch(() => {});
  const title = 'Uses the token on this page';
  const button = { className: 'outline small', onclick, title, disabled: !request.complete };
  const reason = 'Cannot be sent again: the stored body differs from the one that was sent.';
  if (button.disabled) summary.push(h('small', {}, reason));
  const details = folded(summary, sideBySide(sent, received), logged);
  return h('li', {}, details, h('button', button, 'Send again'));
}

async function readTables() {
  for (const name of await json('/docs/tables')) {
    if (!refreshTable.has(name)) refreshTable.set(name, tableOf(name));
    await refreshTable.get(name)();
  }
}

/** Adds a table, and returns a function that reads the table's first page again, unless further pages are shown. */
function tableOf(name) {
  const title = name.replace(/[0-9A-F]{8}$/, '');
  const table = h('table');
  const more = h('button', { className: 'outline small' }, 'More');
  const region = { className: 'table', role: 'region', tabIndex: 0, ariaLabel: `Items in ${title}` };
  const section = h('section', { id: title }, h('h2', {}, title), h('div', region, table));
  find('#tables').append(section);
  const items = new Map();
  let next = '';
  const read = async (start = '') => {
    const page = await json(`/docs/table?${new URLSearchParams({ name, start })}`);
    if (start === '') items.clear();
    for (const item of page.items) items.set(String(item), Object.fromEntries(item));
    next = page.next ?? '';
    if (next === '') more.remove();
    else section.append(more);
    table.replaceChildren(...rowsOf([...items.values()]));
  };
  let isLong = false;
  more.onclick = async () => {
    isLong = true;
    // The first page begins with the most recently created items. A later page may contain only these items again, so
    // pages are read until a new item appears.
    const { size } = items;
    while (next !== '' && items.size === size) await read(next);
  };
  return async () => isLong || read();
}

function rowsOf(items) {
  if (items.length === 0) return [h('caption', {}, 'No items.')];
  const columns = [...new Set(items.flatMap(Object.keys))];
  const titles = columns.map((column) => h('th', { scope: 'col' }, column));
  const cellsOf = (item) => columns.map((column) => cellOf(item[column]));
  const rows = items.map((item) => h('tr', {}, cellsOf(item)));
  return [h('thead', {}, h('tr', {}, titles)), h('tbody', {}, rows)];
}

function cellOf(json = '') {
  const text = json.startsWith('"') ? JSON.parse(json) : json;
  return text.length > 200 ? h('td', { title: text }, `${text.slice(0, 200)} …`) : h('td', {}, text);
}

addEventListener('hashchange', showView);
showView();
find('#about').append(...about);
find('#try > details').after(...forms());
for (;;) {
  const failure = await refresh().catch(({ message }) => message);
  isConnected = failure === undefined;
  const waiting = `Waiting for npm start: ${failure}. If it has ended, run npm start again.`;
  find('[role=status]').textContent = isConnected ? '' : waiting;
  await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
