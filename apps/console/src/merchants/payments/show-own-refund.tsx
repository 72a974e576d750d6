import { Link } from '@tanstack/react-router';
import { getRefund } from '#src/generated/merchants/sdk.gen.ts';
import type { Refund } from '#src/generated/merchants/types.gen.ts';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { contract } from '#src/merchants/contract.ts';
import { EntriesAlone } from '#src/merchants/history/entries-alone.tsx';
import { useEntriesOf } from '#src/merchants/history/entries-of.ts';
import { History } from '#src/merchants/history/history.tsx';
import { refundTimelineOf, refundToneOf } from '#src/merchants/payments/describe-payment.ts';
import { RecordDeliveries } from '#src/merchants/webhooks/record-deliveries.tsx';
import { Facts } from '#src/records/facts.tsx';
import { RecordHeading } from '#src/records/record-heading.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { shortId } from '#src/records/short-id.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const underWayRefetchMs = 5_000;

/** One refund: whether the payer has the money back, and what happened to it. */
export function ShowOwnRefund({ id }: { readonly id: string }) {
  const { texts } = useMerchantTexts();
  const { may } = useWorkplace();
  const { refunds } = texts;
  return (
    <ShowRecord
      follows={['refund.']}
      queryKey={['refund', id]}
      read={(signal, headers) => bodyOf(getRefund({ path: { id }, headers: { ...contract, ...headers }, signal }))}
      refetchMs={({ status }) => (status === 'PROCESSING' ? underWayRefetchMs : false)}
      heading={(refund) => (
        <RecordHeading
          kind={refunds.one}
          record={{ ...refund, amount_cents: refund.amount }}
          tone={refundToneOf[refund.status]}
          state={refunds.status[refund.status]}
        />
      )}
      parts={(refund) => (
        <>
          {refund ? null : <EntriesAlone id={id} />}
          {may('webhooks:read') ? <RecordDeliveries id={id} state={refund?.status ?? ''} /> : null}
        </>
      )}
    >
      {(refund) => (
        <>
          <RefundFacts refund={refund} />
          <RefundHistory refund={refund} />
        </>
      )}
    </ShowRecord>
  );
}

function RefundFacts({ refund }: { readonly refund: Refund }) {
  const { texts, language } = useMerchantTexts();
  const { facts, payments, records } = texts;
  const { deposit_id: depositId, return_id: returnId } = refund;
  return (
    <Facts
      facts={[
        [
          payments.one,
          <Link key="payment" to="/payments/$id" params={{ id: depositId }}>
            <code title={depositId}>{shortId(depositId)}</code>
          </Link>,
        ],
        [facts.externalId, <RecordId key="external" id={refund.external_id} />],
        [records.returnId, returnId === null ? null : <RecordId id={returnId} />],
        [records.reason, refund.reason],
        [records.failure, refund.failure_message],
        [facts.created, formatTime(fromUnix(refund.created_at), language)],
      ]}
    />
  );
}

function RefundHistory({ refund }: { readonly refund: Refund }) {
  const { texts } = useMerchantTexts();
  const { entries, error, retry } = useEntriesOf(refund.id, refund.status);
  return <History events={refundTimelineOf(refund, entries, texts)} error={error} retry={retry} />;
}
