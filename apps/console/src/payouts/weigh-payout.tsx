import { useQuery } from '@tanstack/react-query';
import { getAccount, getAccountBalance, getTotals } from '#src/generated/sdk.gen.ts';
import type { Currency, OperatorPayout } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { balanceMemberOf, dayOfLimits, paidIn } from '#src/payouts/describe-payout.ts';
import { limitsIn } from '#src/records/account-terms.ts';
import { Facts } from '#src/records/facts.tsx';
import { Failed, Notice } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { bodyOf } from '#src/records/refusal.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';

interface WeighPayoutProps {
  /** That waits for an approval. */
  readonly payout: OperatorPayout;
  /** Null: it is not known. */
  readonly isNewRecipient: boolean | null;
}

/** What an operator who decides about a payout looks at: why it waits, whom it goes to, and what its account has and paid out. */
export function WeighPayout({ payout, isNewRecipient }: WeighPayoutProps) {
  const { texts } = useOperatorTexts();
  const { accounts, payouts } = texts;
  const { weigh: words } = payouts;
  const { data, error, refetch } = useAccountOf(payout);
  const money = (amount: number | null | undefined, none: string | null = null) =>
    amount === null || amount === undefined ? none : <Money amount={amount} currency={payout.currency} />;
  const limit = (amount: number | null | undefined) => (data ? money(amount, accounts.noLimit) : null);
  const recipient =
    isNewRecipient === null ? null : (
      <span key="recipient">
        <Status tone={isNewRecipient ? 'wait' : 'neutral'} word={isNewRecipient ? words.isNew : words.isKnown} />{' '}
        {isNewRecipient ? words.newAbout : null}
      </span>
    );
  return (
    <section className={styles['section']}>
      <h2>{words.title}</h2>
      {payout.pending_reason === null ? null : <Notice>{payouts.waits[payout.pending_reason]}</Notice>}
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      <Facts
        facts={[
          [words.recipient, recipient],
          [words.available, money(data?.available)],
          [words.paidToday, money(data?.paidToday)],
          [accounts.perPayout, limit(data?.limits.per_payout_cents)],
          [accounts.perDay, limit(data?.limits.per_day_cents)],
        ]}
      />
    </section>
  );
}

/** What the account of a payout has, pays out today and may, in the currency of the payout. */
function useAccountOf({ account_id: id, environment, currency: given }: OperatorPayout) {
  const may = useMay();
  const currency = given as Currency;
  return useQuery({
    queryKey: ['account', id, 'weighed', environment, currency],
    enabled: may('balances:read'),
    queryFn: async ({ signal }) => {
      const [account, balance, totals] = await Promise.all([
        bodyOf(getAccount({ path: { id }, signal })),
        bodyOf(getAccountBalance({ path: { id }, query: { environment }, signal })),
        bodyOf(getTotals({ query: { ...dayOfLimits(new Date()), environment, account_id: id, currency }, signal })),
      ]);
      const available = balance[balanceMemberOf(currency)]?.available;
      return { limits: limitsIn(account, currency), available, paidToday: paidIn(totals.data) };
    },
  });
}
