import type { ComponentType } from 'react';

interface RecordPage {
  /** The page of the list, below which the record has its own. */
  readonly list: string;
  readonly Show: ComponentType<{ readonly id: string }>;
}

/** What a console shows beside its lists, by the prefix of an id: `dep` of `dep_…`. */
export function besideByPrefix(pages: Readonly<Record<string, RecordPage>>) {
  return (id: string) => {
    const [prefix = '', rest] = id.split('_');
    const page = rest !== undefined && Object.hasOwn(pages, prefix) ? pages[prefix] : undefined;
    return page && { address: `${page.list}/${id}`, record: <page.Show key={id} id={id} /> };
  };
}
