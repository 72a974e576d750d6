import type { ComponentProps } from 'react';
import { SaveCsv } from '#src/records/save-csv.tsx';
import { useMay } from '#src/session/session.tsx';

/** The list that is filtered as a file, for those who may make exports. */
export function ListCsv(props: ComponentProps<typeof SaveCsv>) {
  const may = useMay();
  return may('exports:create') ? <SaveCsv {...props} /> : null;
}
