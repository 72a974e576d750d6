import { Change } from '#src/changes/change.tsx';
import { ListCsv } from '#src/changes/list-csv.tsx';
import { textIn } from '#src/changes/typed.ts';
import { closeStatementDay, listStatementDays } from '#src/generated/sdk.gen.ts';
import type { ListStatementDaysData, StatementDay } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { Facts } from '#src/records/facts.tsx';
import { MoreFilters } from '#src/records/more-filters.tsx';
import { ListHead } from '#src/records/list-head.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { wholeList } from '#src/records/save-csv.tsx';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatDay } from '#src/texts/time.ts';

export type DaysQuery = NonNullable<ListStatementDaysData['query']>;

/** The days of the statements of providers: opening, what moved, closing, and what nothing explains; newest first. */
export function ListDays({ query }: { readonly query: DaysQuery }) {
  const { texts } = useOperatorTexts();
  const { days } = texts.books;
  return (
    <>
      <ListHead title={days.title}>
        <ListCsv name="statement-days" read={() => bodyOf(listStatementDays(wholeList(query)))} />
      </ListHead>
      <MoreFilters filters={[{ name: 'provider', label: texts.facts.provider, kind: 'text' }]} query={{ ...query }} />
      <RecordList
        name="statement-days"
        query={query}
        read={(signal) => bodyOf(listStatementDays({ query, signal }))}
        empty={() => days.empty}
      >
        {(rows) => <DayTable rows={rows} />}
      </RecordList>
    </>
  );
}

const figures = [
  ['opening', 'opening_cents'],
  ['lines', 'lines_cents'],
  ['late', 'late_cents'],
  ['closing', 'closing_cents'],
  ['provider', 'provider_balance_cents'],
  ['plus', 'unexplained_plus_cents'],
  ['minus', 'unexplained_minus_cents'],
] as const;

/** What a card shows of them before it is unfolded. */
const foremost: readonly string[] = ['closing', 'plus', 'minus'];

function DayTable({ rows }: { readonly rows: readonly StatementDay[] }) {
  const { texts, language } = useOperatorTexts();
  const { facts } = texts;
  const { days } = texts.books;
  const may = useMay();
  return (
    <RecordTable
      caption={days.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { heading: days.day, show: ({ day }) => formatDay(day, language) },
        { heading: facts.provider, show: ({ provider, currency }) => `${provider} ${currency}` },
        {
          heading: facts.status,
          show: ({ status }) => <Status tone={status === 'CLOSED' ? 'good' : 'wait'} word={days.status[status]} />,
        },
        ...figures.map(([word, member]) => ({
          heading: days[word],
          align: 'right' as const,
          ...(foremost.includes(word) ? {} : { inCards: 'folded' as const }),
          show: (day: StatementDay) => shownOf(day, member),
        })),
        {
          heading: days.closedBy,
          show: (day) =>
            day.status === 'OPEN' && may('money:propose') ? <CloseDay day={day} /> : (day.closed_by ?? '–'),
        },
      ]}
    />
  );
}

function shownOf(day: StatementDay, member: (typeof figures)[number][1]) {
  const amount = day[member];
  return amount === null ? '–' : <Money amount={amount} currency={day.currency} />;
}

/** Proposes to close a day: the one who approves it sees the same figures. */
function CloseDay({ day }: { readonly day: StatementDay }) {
  const { texts, language } = useOperatorTexts();
  const { days } = texts.books;
  const { close } = days;
  const path = { provider: day.provider, currency: day.currency, day: day.day };
  return (
    <Change
      open={close.open}
      title={close.title(formatDay(day.day, language))}
      about={close.about}
      confirm={close.confirm}
      hasReason
      send={(typed) => bodyOf(closeStatementDay({ path, body: { reason: textIn(typed, 'reason') } }))}
    >
      <Facts facts={figures.map(([word, member]) => [days[word], shownOf(day, member)] as const)} />
    </Change>
  );
}
