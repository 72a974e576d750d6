import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listPayouts } from '#src/generated/sdk.gen.ts';
import { Money } from '#src/money/money.tsx';
import { AccountLink } from '#src/records/account-link.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { RecordName } from '#src/records/record-name.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatAge, fromUnix } from '#src/texts/time.ts';

const shownMax = 20;

/** Payouts that wait for an operator, without a proposal; left out while there are none. */
export function WaitingPayouts({ accountId }: { readonly accountId: string | undefined }) {
  const { texts, language } = useOperatorTexts();
  const { approvals, facts, overview, payouts, records, stuck } = texts;
  const query = { status: 'PENDING', ...(accountId === undefined ? {} : { account_id: accountId }) } as const;
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['waiting-payouts', accountId],
    queryFn: ({ signal }) => bodyOf(listPayouts({ query: { ...query, limit: shownMax }, signal })),
    // No row moves under the hand: it is read again with what is decided.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  if (!data || data.data.length === 0) return null;
  const now = new Date(dataUpdatedAt);
  return (
    <section className={styles['section']}>
      <h2>{overview.kinds.payout_approval}</h2>
      <RecordTable
        caption={overview.kinds.payout_approval}
        rows={data.data}
        keyOf={({ id }) => id}
        columns={[
          {
            heading: facts.record,
            show: ({ id, environment }) => <RecordName kind="payout" id={id} environment={environment} />,
          },
          {
            heading: facts.amount,
            align: 'right',
            show: ({ amount_cents: amount, currency }) => <Money amount={amount} currency={currency} />,
          },
          { heading: facts.account, show: ({ account_id: id }) => <AccountLink id={id} /> },
          {
            heading: approvals.reason,
            show: ({ pending_reason: reason }) => (reason === null ? '–' : payouts.waits[reason]),
          },
          {
            heading: stuck.since,
            show: ({ created_at: at }) => records.age(formatAge(fromUnix(at), now, language)),
          },
        ]}
      />
      {data.next_cursor === null ? null : (
        <Link to="/payouts" search={query}>
          {payouts.title}
        </Link>
      )}
    </section>
  );
}
