import type { ComponentProps } from 'react';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { SaveCsv } from '#src/records/save-csv.tsx';

/** The list that is filtered as a file, for those who may make exports of the account. */
export function OwnListCsv(props: ComponentProps<typeof SaveCsv>) {
  const { may } = useWorkplace();
  return may('exports:create') ? <SaveCsv {...props} /> : null;
}
