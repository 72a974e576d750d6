import { useQuery } from '@tanstack/react-query';
import { getRefund, getRefundTimeline, retryRefundLookup } from '#src/generated/sdk.gen.ts';
import type { OperatorRefund } from '#src/generated/types.gen.ts';
import { Attention } from '#src/records/attention.tsx';
import { Facts } from '#src/records/facts.tsx';
import { LookUp } from '#src/records/look-up.tsx';
import { Failed, Skeleton } from '#src/records/page-states.tsx';
import { RecordHeading } from '#src/records/record-heading.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { RecordLink } from '#src/records/record-link.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTimeline } from '#src/records/record-timeline.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { shortId } from '#src/records/short-id.ts';
import { toneOf } from '#src/refunds/describe-refund.ts';
import { useSession } from '#src/session/session.tsx';
import { useLanguage } from '#src/texts/language.tsx';
import { formatAge, formatTime, fromUnix } from '#src/texts/time.ts';

/** One refund: how far it is at the provider, and what happened to it. */
export function ShowRefund({ id }: { readonly id: string }) {
  const { texts } = useLanguage();
  const { permissions } = useSession();
  const { data, error, refetch } = useQuery({
    queryKey: ['refund', id],
    queryFn: ({ signal }) => bodyOf(getRefund({ path: { id }, signal })),
  });
  if (!data) return error ? <Failed error={error} retry={() => void refetch()} /> : <Skeleton lines={8} />;
  const { refund } = data;
  const { amount_cents: amount, currency, environment, status } = refund;
  return (
    <article className={styles['page']}>
      <RecordHeading
        {...{ kind: texts.refunds.one, id, amount, currency, environment }}
        {...{ tone: toneOf[status], state: texts.refunds.status[status] }}
      />
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      <RefundAttention refund={refund} />
      {status === 'PROCESSING' ? (
        <LookUp
          ask={() => bodyOf(retryRefundLookup({ path: { id } }))}
          queryKey={['refund', id]}
          permissions={permissions}
        />
      ) : null}
      <RefundFacts refund={refund} />
      <RecordTimeline
        {...{ id, state: status }}
        read={(signal) => bodyOf(getRefundTimeline({ path: { id }, signal }))}
      />
    </article>
  );
}

function RefundAttention({ refund: { attention, attention_at: since } }: { readonly refund: OperatorRefund }) {
  const { texts, language } = useLanguage();
  if (attention === null || since === null) return null;
  const age = formatAge(new Date(since), new Date(), language);
  return <Attention reason={`${texts.refunds.attention[attention]} ${texts.records.age(age)}.`} />;
}

function RefundFacts({ refund }: { readonly refund: OperatorRefund }) {
  const { texts, language } = useLanguage();
  const { facts, records, refunds } = texts;
  const { deposit_id: depositId } = refund;
  const idOf = (value: string | null) => (value === null ? null : <RecordId id={value} />);
  return (
    <Facts
      facts={[
        [
          refunds.deposit,
          <RecordLink key="deposit" kind="deposit" id={depositId}>
            <code title={depositId}>{shortId(depositId)}</code>
          </RecordLink>,
        ],
        [facts.account, idOf(refund.account_id)],
        [facts.environment, refund.environment],
        [records.reason, refund.reason],
        [facts.externalId, refund.external_id],
        [records.returnId, idOf(refund.return_id)],
        [facts.provider, refund.provider],
        [facts.reference, idOf(refund.reference)],
        [facts.providerRef, refund.provider_ref],
        [records.attempts, refund.attempts],
        [records.words, refund.provider_message],
        [records.failure, refund.failure_message],
        [facts.created, formatTime(fromUnix(refund.created_at), language)],
        [facts.traceId, idOf(refund.trace_id)],
      ]}
    />
  );
}
