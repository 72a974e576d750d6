/** How a person looks at a list: which columns are left out, and whether its rows are low. */
export interface ListView {
  /** By their headings. */
  readonly hidden: readonly string[];
  readonly isCompact: boolean;
}

/** Under what it is stored: all lists of a kind are looked at in one way, `deliveries whk_…` of every endpoint. */
export function storedAs(listName: string): string {
  const [kind = ''] = listName.split(' ');
  return `list ${kind}`;
}

const plain: ListView = { hidden: [], isCompact: false };

/** What was stored of it; how a list is shown at first where nothing was, or nothing that can be read. */
export function viewIn(stored: string | null): ListView {
  try {
    const { hidden, isCompact } = JSON.parse(stored ?? '{}') as Partial<Record<keyof ListView, unknown>>;
    return {
      hidden: Array.isArray(hidden) ? hidden.filter((each) => typeof each === 'string') : [],
      isCompact: isCompact === true,
    };
  } catch {
    return plain;
  }
}

/** The columns that are shown: the first one names the record and is always there. */
export function shownColumns<Column extends { readonly heading: string }>(
  [first, ...others]: readonly [Column, ...Column[]],
  { hidden }: Pick<ListView, 'hidden'>,
): readonly [Column, ...Column[]] {
  return [first, ...others.filter(({ heading }) => !hidden.includes(heading))];
}
