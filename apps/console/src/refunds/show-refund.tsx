import { Changes } from '#src/changes/changes.tsx';
import { Act } from '#src/changes/act.tsx';
import { ResolveReturn } from '#src/changes/resolve-return.tsx';
import { getRefund, getRefundTimeline, retryRefundLookup } from '#src/generated/sdk.gen.ts';
import type { OperatorRefund } from '#src/generated/types.gen.ts';
import { AccountLink } from '#src/records/account-link.tsx';
import { formatMoney } from '#src/money/format-money.ts';
import { Attention } from '#src/records/attention.tsx';
import { Facts } from '#src/records/facts.tsx';
import { RecordHeading } from '#src/records/record-heading.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { RecordName } from '#src/records/record-name.tsx';
import { RecordTimeline } from '#src/records/record-timeline.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { consequenceOf, toneOf } from '#src/refunds/describe-refund.ts';
import { useMay } from '#src/session/session.tsx';
import { TraceId } from '#src/session/trace-id.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

/** One refund: how far it is at the provider, and what happened to it. */
export function ShowRefund({ id }: { readonly id: string }) {
  const { texts } = useOperatorTexts();
  const { refunds } = texts;
  const queryKey = ['refund', id];
  return (
    <ShowRecord
      follows={['refund.']}
      queryKey={queryKey}
      read={(signal, headers) => bodyOf(getRefund({ path: { id }, headers, signal }))}
      heading={({ refund }) => (
        <RecordHeading
          kind={refunds.one}
          record={refund}
          tone={toneOf[refund.status]}
          state={refunds.status[refund.status]}
        />
      )}
    >
      {({ refund }) => (
        <>
          {refund.attention !== null && refund.attention_at !== null ? (
            <Attention reason={refunds.attention[refund.attention]} since={refund.attention_at} />
          ) : null}
          <Actions refund={refund} />
          <RefundFacts refund={refund} />
          <RecordTimeline
            queryKey={queryKey}
            state={refund.status}
            read={(signal) => bodyOf(getRefundTimeline({ path: { id }, signal }))}
          />
        </>
      )}
    </ShowRecord>
  );
}

function Actions({ refund }: { readonly refund: OperatorRefund }) {
  const { texts, language } = useOperatorTexts();
  const may = useMay();
  const { id, status, currency } = refund;
  const { resolve } = texts.refunds;
  const amount = formatMoney(refund.amount_cents, currency, language);
  return (
    <Changes>
      {status === 'PROCESSING' && may('operations:write') ? (
        <Act
          label={texts.records.lookUp}
          look="primary"
          send={() => bodyOf(retryRefundLookup({ path: { id } }))}
          done={() => texts.records.lookedUp}
        />
      ) : null}
      <ResolveReturn
        id={id}
        amount={amount}
        outcomes={refund.outcomes.map((value) => {
          return { value, label: resolve[value], about: resolve.consequence[consequenceOf(refund, value)](amount) };
        })}
      />
    </Changes>
  );
}

function RefundFacts({ refund }: { readonly refund: OperatorRefund }) {
  const { texts, language } = useOperatorTexts();
  const { facts, records, refunds } = texts;
  const idOf = (value: string | null) => (value === null ? null : <RecordId id={value} />);
  return (
    <Facts
      facts={[
        [refunds.deposit, <RecordName key="deposit" kind="deposit" id={refund.deposit_id} />],
        [facts.account, <AccountLink key="account" id={refund.account_id} />],
        [facts.environment, texts.environment[refund.environment]],
        [records.reason, refund.reason],
        [facts.externalId, refund.external_id],
        [records.returnId, idOf(refund.return_id)],
        [facts.provider, refund.provider],
        [facts.reference, idOf(refund.reference)],
        [facts.providerRef, idOf(refund.provider_ref)],
        [records.attempts, refund.attempts],
        [records.words, refund.provider_message],
        [records.failure, refund.failure_message],
        [facts.created, formatTime(fromUnix(refund.created_at), language)],
        [facts.traceId, refund.trace_id === null ? null : <TraceId key="trace" id={refund.trace_id} />],
      ]}
    />
  );
}
