import type { ComponentType } from 'react';

interface RecordPage {
  /** The page of the list, below which the record has its own. */
  readonly list: string;
  readonly Show: ComponentType<{ readonly id: string }>;
}

/**
 * What a console shows beside its lists, by the prefix of an id: `dep` of `dep_…`. Where two kinds of record share one, a row
 * names its kind before the id, and so does the key: `receipt.rfd` of `receipt.rfd_…`.
 */
export function besideByPrefix(pages: Readonly<Record<string, RecordPage>>) {
  return (name: string) => {
    const [prefix = '', rest] = name.split('_');
    const page = rest !== undefined && Object.hasOwn(pages, prefix) ? pages[prefix] : undefined;
    const id = name.slice(name.indexOf('.') + 1);
    return page && { address: `${page.list}/${id}`, record: <page.Show key={name} id={id} /> };
  };
}
