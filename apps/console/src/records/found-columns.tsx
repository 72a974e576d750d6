import type { ActivityRecord, FoundRecord } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { stateOf } from '#src/records/describe-found.ts';
import type { Column } from '#src/records/record-table.tsx';
import type { OperatorTexts } from '#src/texts/operators-en.ts';

/** The state and the amount of records of any kind; a dash where a kind has none. */
export function foundColumns<Row extends ActivityRecord | FoundRecord>(texts: OperatorTexts): readonly Column<Row>[] {
  const { facts } = texts;
  return [
    {
      heading: facts.status,
      show: (row) => {
        const state = stateOf(row, texts);
        return state === undefined ? '–' : <Status {...state} />;
      },
    },
    {
      heading: facts.amount,
      align: 'right',
      show: ({ amount_cents: amount, currency }) =>
        amount === null || currency === null ? '–' : <Money amount={amount} currency={currency} />,
    },
  ];
}
