import { Status } from '#src/look/status.tsx';
import type { Column } from '#src/records/record-table.tsx';
import type { CommonTexts } from '#src/texts/common-en.ts';
import { formatAge } from '#src/texts/time.ts';

interface Waiting {
  /** Since when it takes an operator; null while it goes on by itself. */
  readonly attention_at: string | null;
}

/** For how long each record of a list has been waiting for an operator. */
export function stuckColumn<Row extends Waiting>(
  { records }: Pick<CommonTexts, 'records'>,
  language: string,
  now: Date,
): Column<Row> {
  return {
    heading: records.stuck,
    show: ({ attention_at: at }) =>
      at === null ? '–' : <Status tone="bad" word={records.age(formatAge(new Date(at), now, language))} />,
  };
}
