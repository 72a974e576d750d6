import type { AccountingRow } from '#src/generated/types.gen.ts';
import { minorUnitsOf } from '#src/money/minor-units.ts';
import { Money } from '#src/money/money.tsx';
import type { Column } from '#src/records/record-table.tsx';
import { formatTime } from '#src/texts/time.ts';

interface AccountingTexts {
  readonly statement: Readonly<Record<'booked' | 'type' | 'gross' | 'net' | 'after', string>>;
  readonly facts: { readonly fee: string };
  readonly entries: Readonly<Record<AccountingRow['type'], string>>;
}

/** What a statement shows of each entry before what it is about, and after it. */
export function accountingColumns({ statement, facts, entries }: AccountingTexts, language: string) {
  const money = (text: string | null, { currency }: AccountingRow) =>
    text === null ? '–' : <Money amount={minorUnitsOf(text, currency)} currency={currency} />;
  const first: readonly [Column<AccountingRow>, Column<AccountingRow>] = [
    { heading: statement.booked, wraps: true, show: ({ booked_at: at }) => formatTime(new Date(at), language) },
    { heading: statement.type, show: ({ type }) => entries[type] },
  ];
  const last: readonly Column<AccountingRow>[] = [
    { heading: statement.gross, align: 'right', inCards: 'folded', show: (row) => money(row.gross, row) },
    { heading: facts.fee, align: 'right', inCards: 'folded', show: (row) => money(row.fee, row) },
    { heading: statement.net, align: 'right', show: (row) => money(row.net, row) },
    { heading: statement.after, align: 'right', show: (row) => money(row.balance_after, row) },
  ];
  return { first, last };
}
