// Copies code, and shows the examples of a page in one language. Without it a page shows all languages, one below the other.
// It writes no markup: a policy of trusted types lets it run.

const words = document.documentElement.lang.startsWith('pt')
  ? { copy: 'Copiar', copied: 'Copiado', selected: 'Selecionado: copie com o teclado', choice: 'Linguagem do exemplo' }
  : { copy: 'Copy', copied: 'Copied', selected: 'Selected: copy it by keyboard', choice: 'Language of the example' };

/** Those of an example, by the class of its block. */
const languages = { sh: 'Shell', ts: 'TypeScript', py: 'Python' };
const choiceName = 'docs-language';
const copiedMs = 2_000;

const news = element('p', { class: 'for-ears', role: 'status' });
/** The views of each example, one for each language. */
const examples = [];

function begin() {
  document.body.append(news);
  const blocks = [...document.querySelectorAll('main pre')].map(blockOf);
  for (const [at, blocksOfOne] of examplesOf(blocks).entries()) {
    if (blocksOfOne.length === 1) showAlone(blocksOfOne[0]);
    else examples.push(showTogether(blocksOfOne, at));
  }
  choose(keptChoice());
}

/** A block of code with what names its language: a line above it, or what opens it. */
function blockOf(pre) {
  const classes = `${pre.className} ${pre.firstElementChild?.className ?? ''}`;
  const [, language = ''] = /(?:^| )language-(\w+)/.exec(classes) ?? [];
  const details = pre.closest('details');
  const line = pre.previousElementSibling?.matches('.language') ? pre.previousElementSibling : null;
  const label = (details?.querySelector('summary') ?? line)?.textContent ?? languages[language];
  return { pre, language, label, line, first: details ?? line ?? pre, last: details ?? pre };
}

/** Blocks that stand one below the other, each in another language, are one example. */
function examplesOf(blocks) {
  const found = [];
  for (const block of blocks) {
    const before = found.at(-1);
    const follows = before?.at(-1).last === block.first.previousElementSibling;
    const isOther = before?.every(({ language }) => language !== block.language && Object.hasOwn(languages, language));
    if (follows && isOther && Object.hasOwn(languages, block.language)) before.push(block);
    else found.push([block]);
  }
  return found;
}

function showAlone({ pre, line }) {
  const copy = copyButton(() => pre);
  const bar = element('div', { class: 'code-bar' });
  pre.before(bar);
  bar.append(line ?? '', copy);
}

function showTogether(blocks, at) {
  const frame = element('div', { class: 'example' });
  blocks[0].first.before(frame);
  const views = blocks.map(({ pre, language, label, first }) => {
    const id = `example-${at}-${language}`;
    const tab = element('button', { type: 'button', role: 'tab', id: `${id}-tab`, 'aria-controls': id }, label);
    const panel = element('div', { role: 'tabpanel', id, 'aria-labelledby': tab.id }, pre);
    if (first !== pre) first.remove();
    return { language, tab, panel, pre };
  });
  const tabs = element('div', { role: 'tablist', 'aria-label': words.choice }, ...views.map(({ tab }) => tab));
  const copy = copyButton(() => views.find(({ panel }) => !panel.hidden).pre);
  frame.append(element('div', { class: 'code-bar' }, tabs, copy), ...views.map(({ panel }) => panel));
  for (const { tab, language } of views) tab.addEventListener('click', () => chooseAt(tab, language));
  tabs.addEventListener('keydown', (event) => {
    const place = views.findIndex(({ tab }) => tab === event.target);
    const next = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: -1 }[event.key];
    if (place === -1 || next === undefined) return;
    event.preventDefault();
    const { tab, language } = views.at(next % views.length);
    chooseAt(tab, language);
    tab.focus();
  });
  return views;
}

/** A reader's choice, kept for the next page. What was chosen at stays where it is on the screen. */
function chooseAt(tab, language) {
  const { top } = tab.getBoundingClientRect();
  choose(language);
  scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: 'instant' });
  try {
    localStorage.setItem(choiceName, language);
  } catch {
    // A browser that keeps nothing shows the choice on this page alone.
  }
}

/** An example that the language has not is shown in its first one. */
function choose(language) {
  for (const views of examples) {
    const chosen = views.find((view) => view.language === language) ?? views[0];
    for (const view of views) {
      view.panel.hidden = view !== chosen;
      view.tab.setAttribute('aria-selected', String(view === chosen));
      view.tab.tabIndex = view === chosen ? 0 : -1;
    }
  }
}

function keptChoice() {
  try {
    return localStorage.getItem(choiceName);
  } catch {
    return null;
  }
}

/** @param shown the block that is copied */
function copyButton(shown) {
  const button = element('button', { type: 'button', class: 'copy' }, words.copy);
  let timer = 0;
  button.addEventListener('click', async () => {
    const outcome = await copy(shown());
    button.textContent = outcome;
    news.textContent = outcome;
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = words.copy;
      news.textContent = '';
    }, copiedMs);
  });
  return button;
}

async function copy(pre) {
  try {
    await navigator.clipboard.writeText(pre.textContent.replace(/\n$/, ''));
    return words.copied;
  } catch {
    // A page that was read over plain HTTP has no clipboard.
    getSelection().selectAllChildren(pre);
    return document.execCommand('copy') ? words.copied : words.selected;
  }
}

function element(name, attributes, ...content) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...content);
  return made;
}

begin();
