import type { FailedCalls, OperatorPayout } from '#src/generated/types.gen.ts';
import { Money } from '#src/money/money.tsx';
import { AccountLink } from '#src/records/account-link.tsx';
import { Facts } from '#src/records/facts.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { TraceId } from '#src/session/trace-id.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

interface OfPayout {
  readonly payout: OperatorPayout;
}

/** What is known of a payout: why it ended as it did, and who decided so, among it. */
export function PayoutFacts({ payout }: OfPayout) {
  const { texts, language } = useOperatorTexts();
  const { approvals, deposits, facts, payouts, records } = texts;
  const { currency, paid_at: paidAt, returned_cents: returned } = payout;
  const idOf = (value: string | null) => (value === null ? null : <RecordId id={value} />);
  return (
    <Facts
      facts={[
        [records.failure, payout.failure_message],
        [records.words, payout.provider_message],
        [approvals.decidedBy, payout.decided_by],
        [approvals.decisionReason, payout.decision_reason],
        [payouts.stated, statedBy(payout, payouts.resolve)],
        [facts.account, <AccountLink key="account" id={payout.account_id} />],
        [facts.environment, texts.environment[payout.environment]],
        [facts.fee, <Money key="fee" amount={payout.fee_cents} currency={currency} />],
        [payouts.returned, returned === 0 ? null : <Money key="returned" amount={returned} currency={currency} />],
        [facts.recipient, payout.recipient.name],
        [facts.key, `${payout.pix_key} (${payout.pix_key_type})`],
        [facts.kind, payouts.kind[payout.kind]],
        [facts.externalId, payout.external_id],
        [facts.e2eId, idOf(payout.e2e_id)],
        [facts.provider, payout.provider],
        [facts.reference, idOf(payout.reference)],
        [facts.providerRef, idOf(payout.provider_ref)],
        [facts.created, formatTime(fromUnix(payout.created_at), language)],
        [deposits.paidAt, paidAt === null ? null : formatTime(new Date(paidAt), language)],
        [facts.traceId, payout.trace_id === null ? null : <TraceId key="trace" id={payout.trace_id} />],
      ]}
    />
  );
}

/** The outcome that two operators stated, by whom, and how it is known. */
function statedBy({ resolution }: OperatorPayout, words: Readonly<Record<'paid' | 'failed', string>>): string | null {
  if (!resolution?.confirmed_by) return null;
  const { outcome, proposed_by: first, confirmed_by: second, evidence, confirmation } = resolution;
  return [`${words[outcome]} (${first}, ${second}): ${evidence}`, confirmation].filter(Boolean).join(' · ');
}

/** Calls of providers that did not take it, or may not have. */
export function FailedCallsOf({ payout: { failed_calls: calls } }: OfPayout) {
  const { texts, language } = useOperatorTexts();
  const { facts, payouts, records } = texts;
  if (calls.length === 0) return null;
  return (
    <section className={styles['section']}>
      <h2>{payouts.failedCalls}</h2>
      <RecordTable
        caption={payouts.failedCalls}
        rows={calls}
        keyOf={({ provider, first_at: at }: FailedCalls) => `${provider} ${at}`}
        columns={[
          { heading: facts.provider, show: ({ provider }) => provider },
          { heading: facts.status, show: ({ outcome }) => payouts.callOutcome[outcome] },
          { heading: records.words, show: ({ message, reason }) => message ?? reason ?? '–' },
          { heading: payouts.times, align: 'right', show: ({ times }) => times },
          { heading: payouts.lastCall, show: ({ last_at: at }) => formatTime(new Date(at), language) },
        ]}
      />
    </section>
  );
}
