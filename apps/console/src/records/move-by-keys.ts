/** How long a list may take to show the row that was left. */
const listShownMs = 15_000;

/** The search box, with what stands in it selected. */
export function focusSearch(): void {
  document.querySelector<HTMLInputElement>('[role=search] input')?.select();
}

/** The first filter of the list, or what unfolds them where they are folded away. */
export function focusFilter(): void {
  const filters = document.querySelectorAll<HTMLElement>('main [data-filters] :is([aria-expanded], select, input)');
  [...filters].find((each) => each.checkVisibility())?.focus();
}

/** The next row, or the one before: its link has the focus, so that Enter opens it. */
export function moveRow(step: 1 | -1): void {
  const rows = rowsOfPage();
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = at === -1 ? (step === 1 ? 0 : rows.length - 1) : at + step;
  const target = rows[next] && leadingIn(rows[next]);
  target?.focus();
  target?.scrollIntoView({ block: 'nearest' });
}

/** Opens the record of the row that has the focus beside its list, where there is room for it. */
export function openBeside(): void {
  rowsOfPage()
    .find((each) => each.contains(document.activeElement))
    ?.click();
}

/** Whether the list that is shown has records that open beside it. */
export function hasRowsBeside(): boolean {
  return document.querySelector('main tr[data-record]') !== null;
}

const selectedBy = 'input[type=checkbox]';

/** Selects the row that has the focus, where rows can be selected, or takes it out again. */
export function toggleRow(): void {
  const row = rowsOfPage().find((each) => each.contains(document.activeElement));
  row?.querySelector<HTMLInputElement>(selectedBy)?.click();
}

/** Whether the list that is shown has rows to select. */
export function hasRowsToSelect(): boolean {
  return rowsOfPage().some((row) => row.querySelector(selectedBy) !== null);
}

/**
 * Gives the focus to the row of a record once its list is shown, unless its reader has gone on to something else by then.
 *
 * @returns what ends the waiting
 */
export function returnToRow(path: string): () => void {
  const find = () => {
    const link = [...document.querySelectorAll<HTMLAnchorElement>('main tbody a')].find(
      (each) => each.pathname === path,
    );
    link?.focus();
    return link !== undefined;
  };
  if (find()) return () => undefined;
  const waiting = new AbortController();
  const end = () => waiting.abort();
  const observer = new MutationObserver(() => (find() ? end() : undefined));
  observer.observe(document.body, { childList: true, subtree: true });
  const timer = setTimeout(end, listShownMs);
  waiting.signal.addEventListener('abort', () => {
    clearTimeout(timer);
    observer.disconnect();
  });
  // The content of the page has the focus by itself where the element that had it is gone.
  const isElsewhere = ({ target }: FocusEvent) => target !== document.getElementById('content');
  const { signal } = waiting;
  document.addEventListener('focusin', (event) => (isElsewhere(event) ? end() : undefined), { signal });
  return end;
}

function rowsOfPage(): HTMLElement[] {
  const rows = [...document.querySelectorAll<HTMLElement>('main tbody tr')];
  return rows.filter((row) => leadingIn(row) !== undefined);
}

/** What can have the focus in a row, the first of it that is shown: what unfolds a card is in every row of its list. */
function leadingIn(row: HTMLElement): HTMLElement | undefined {
  return [...row.querySelectorAll<HTMLElement>('a, button')].find((each) => each.checkVisibility());
}
