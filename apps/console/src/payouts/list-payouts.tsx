import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listPayouts } from '#src/generated/sdk.gen.ts';
import type { ListPayoutsData, OperatorPayout } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { toneOf } from '#src/payouts/describe-payout.ts';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import { Pages } from '#src/records/pages.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { shortId } from '#src/records/short-id.ts';
import { useLanguage } from '#src/texts/language.tsx';
import { formatAge, formatClock, formatTime, fromUnix } from '#src/texts/time.ts';

export type PayoutsQuery = NonNullable<ListPayoutsData['query']>;

interface ListPayoutsProps {
  /** What the address says: filters and cursor. */
  readonly query: PayoutsQuery;
}

/** Payouts of all accounts, newest first. */
export function ListPayouts({ query }: ListPayoutsProps) {
  const { texts, language } = useLanguage();
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: ['payouts', query],
    queryFn: ({ signal }) => bodyOf(listPayouts({ query, signal })),
  });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton lines={8} />;
  if (data.data.length === 0) {
    const checkedAt = formatClock(new Date(dataUpdatedAt), language);
    return <Empty>{query.attention === 'true' ? texts.payouts.nothingStuck(checkedAt) : texts.payouts.empty}</Empty>;
  }
  return (
    <>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      <PayoutTable rows={data.data} now={new Date(dataUpdatedAt)} />
      <Pages older={data.next_cursor} isNewest={query.cursor === undefined} />
    </>
  );
}

function PayoutTable({ rows, now }: { readonly rows: readonly OperatorPayout[]; readonly now: Date }) {
  const { texts, language } = useLanguage();
  const { facts, payouts } = texts;
  return (
    <RecordTable
      caption={payouts.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: facts.record,
          show: ({ id, environment }) => (
            <>
              <Link to="/payouts/$id" params={{ id }}>
                <code title={id}>{shortId(id)}</code>
              </Link>{' '}
              <EnvironmentBadge environment={environment} />
            </>
          ),
        },
        { heading: facts.status, show: ({ status }) => <Status tone={toneOf[status]} word={payouts.status[status]} /> },
        {
          heading: facts.amount,
          align: 'right',
          show: ({ amount_cents, currency }) => <Money amount={amount_cents} currency={currency} />,
        },
        { heading: facts.recipient, show: ({ recipient }) => recipient.name ?? '–' },
        { heading: facts.provider, show: ({ provider }) => provider },
        {
          heading: payouts.stuck,
          show: ({ attention_at: at }) =>
            at === null ? '–' : <Status tone="bad" word={payouts.age(formatAge(new Date(at), now, language))} />,
        },
        { heading: facts.created, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
      ]}
    />
  );
}
