import { h, json } from './elements.js';

const CELL_CHARACTERS = 300;

/** Shows the tables of the service, a page of items each; refreshes those of which no more has been asked for. */
export async function showTables(section) {
  const names = await json('/docs/tables');
  for (const name of names) {
    const found = [...section.children].find((child) => child.dataset.table === name);
    const table = found ?? tableOf(name);
    section.append(table);
    if (table.dataset.more === undefined) await table.refresh();
  }
}

function tableOf(name) {
  const table = h('table');
  const more = h('button', { hidden: true }, 'More');
  const label = name.replace(/[0-9A-F]{8}$/, '');
  const element = h(
    'section',
    { 'data-table': name, 'aria-label': label },
    h('h2', {}, label),
    h('div', { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': `Items of ${label}` }, table),
    more,
  );
  let items = new Map();
  let next;
  const read = async (start) => {
    const query = new URLSearchParams(start === undefined ? { name } : { name, start });
    const page = await json(`/docs/table?${query}`);
    if (start === undefined) items = new Map();
    for (const { key, attributes } of page.items)
      if (!items.has(key)) items.set(key, Object.fromEntries(attributes));
    next = page.next;
    more.hidden = next === undefined;
    table.replaceChildren(...rowsOf([...items.values()]));
  };
  more.addEventListener('click', async () => {
    element.dataset.more = '';
    // A page may have nothing but items of the last requests, which are shown already.
    for (const { size } = items; next !== undefined && items.size === size; ) await read(next);
  });
  element.refresh = () => read();
  return element;
}

function rowsOf(items) {
  if (items.length === 0) return [h('caption', {}, 'Empty.')];
  const columns = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const titles = columns.map((column) => h('th', { scope: 'col' }, column));
  const cellsOf = (item) => columns.map((column) => h('td', {}, textOf(item[column])));
  const rows = items.map((item) => h('tr', {}, cellsOf(item)));
  return [h('thead', {}, h('tr', {}, titles)), h('tbody', {}, rows)];
}

function textOf(json = '') {
  const text = json.startsWith('"') ? JSON.parse(json) : json;
  return text.length > CELL_CHARACTERS ? `${text.slice(0, CELL_CHARACTERS)} …` : text;
}
