import { useState } from 'react';
import type { Selection } from '#src/records/record-table.tsx';

/** The rows of a list that are selected, for what is done with several at once. */
export function useSelected<Row extends { readonly id: string }>(isOffered: (row: Row) => boolean) {
  const [ids, select] = useState<readonly string[]>([]);
  const selection: Selection<Row> = {
    isSelected: ({ id }) => ids.includes(id),
    toggle: ({ id }) => select(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]),
    isOffered,
  };
  /** It is done with this one. */
  const forget = (id: string) => select((now) => now.filter((each) => each !== id));
  return { ids, select, forget, selection };
}
