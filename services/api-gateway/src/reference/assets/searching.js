// Finds sections of the pages by their words. What it searches is loaded when a reader begins to. It writes no markup: a policy
// of trusted types lets it run.

const resultsMax = 10;
const excerptLength = 160;
/** Of an excerpt, before the first of the words. */
const leadLength = 40;
/** Words of a question that nothing is found by. */
const passedOver = new Set([
  'a',
  'an',
  'the',
  'of',
  'to',
  'in',
  'is',
  'it',
  'do',
  'how',
  'what',
  'and',
  'or',
  'for',
  'with',
  'my',
]);

const place = document.getElementById('search');
const field = element('input', { type: 'search', id: 'search-field', autocomplete: 'off', spellcheck: 'false' });
const news = element('p', { role: 'status', class: 'type' });
const list = element('ol', {});
const results = element('div', { class: 'results', hidden: '' }, news, list);
const form = element('form', { role: 'search' }, element('label', { for: field.id }, 'Search'), field, results);
let loading;

function begin() {
  place.append(form);
  field.addEventListener('focus', () => void loaded().catch(() => undefined));
  field.addEventListener('input', () => void show());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void openFirst();
  });
  form.addEventListener('keydown', move);
  list.addEventListener('click', close);
  for (const type of ['focusin', 'pointerdown'])
    document.addEventListener(type, ({ target }) => {
      if (!form.contains(target)) close();
      else if (target === field && field.value.trim() !== '') void show();
    });
}

async function openFirst() {
  await show();
  if (!results.hidden) list.querySelector('a')?.click();
}

/** By the arrows between the field and the results; by Escape back to the page. */
function move(event) {
  if (event.key === 'Escape') {
    field.value = '';
    field.focus();
    close();
    return;
  }
  const stops = [field, ...list.querySelectorAll('a')];
  const at = stops.indexOf(document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
  if (at === -1 || next === undefined) return;
  event.preventDefault();
  stops[Math.min(Math.max(next, 0), stops.length - 1)].focus();
}

function close() {
  results.hidden = true;
}

async function show() {
  const query = field.value.trim();
  if (query === '') return close();
  try {
    const index = await loaded();
    // What was typed since then shows its own results.
    if (query === field.value.trim()) report(findIn(index, query));
  } catch {
    report([], 'The search could not be loaded: type again to repeat it.');
  }
}

/** Sections that have all the words; where there are none, those that have some of them. */
function findIn(index, query) {
  const all = index.search(query, { combineWith: 'AND' });
  return all.length > 0 ? all : index.search(query, { combineWith: 'OR' });
}

function report(found, text = found.length === 0 ? 'Nothing was found.' : countOf(found)) {
  news.textContent = text;
  list.replaceChildren(...found.slice(0, resultsMax).map(entry));
  results.hidden = false;
}

function countOf({ length }) {
  if (length === 1) return '1 section';
  return length > resultsMax ? `${length} sections, the best ${resultsMax} of them` : `${length} sections`;
}

function entry({ href, title, page, text, terms }) {
  const shown = [
    element('strong', {}, title),
    ...(page === title ? [] : [element('span', { class: 'type' }, ` ${page}`)]),
    element('span', { class: 'excerpt' }, excerptOf(text, terms)),
  ];
  return element('li', {}, element('a', { href }, ...shown));
}

/** What stands around the first of the words. */
function excerptOf(text, terms) {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((at) => at !== -1);
  const start = Math.max(0, Math.min(...places, lower.length) - leadLength);
  const from = places.length === 0 ? 0 : start;
  const end = from + excerptLength;
  return `${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`;
}

/** Loaded once; after a failure, again. */
function loaded() {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load() {
  const [{ default: MiniSearch }, answer] = await Promise.all([
    import(place.dataset.library),
    fetch(place.dataset.index),
  ]);
  if (!answer.ok) throw new Error(`the index was answered with ${answer.status}`);
  const sections = await answer.json();
  const index = new MiniSearch({
    fields: ['operation', 'title', 'page', 'text'],
    storeFields: ['href', 'title', 'page', 'text'],
    processTerm: (term) => (passedOver.has(term.toLowerCase()) ? null : term.toLowerCase()),
    searchOptions: {
      boost: { operation: 8, title: 4, page: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    },
  });
  index.addAll(sections.map((section, id) => ({ id, ...section })));
  return index;
}

function element(name, attributes, ...content) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...content);
  return made;
}

begin();
