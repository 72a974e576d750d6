import { cancelPayout, getPayout } from '#src/generated/merchants/sdk.gen.ts';
import { Button } from '#src/look/button.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { CancelRecord } from '#src/merchants/cancel-record.tsx';
import { contract } from '#src/merchants/contract.ts';
import { EntriesAlone } from '#src/merchants/history/entries-alone.tsx';
import { useEntriesOf } from '#src/merchants/history/entries-of.ts';
import { History } from '#src/merchants/history/history.tsx';
import { type OwnPayout, timelineOf, toneOf } from '#src/merchants/payouts/describe-own-payout.ts';
import { actsOnPayout } from '#src/merchants/simulate/acts.ts';
import { Simulate } from '#src/merchants/simulate/simulate.tsx';
import { RecordDeliveries } from '#src/merchants/webhooks/record-deliveries.tsx';
import { Money } from '#src/money/money.tsx';
import { Facts } from '#src/records/facts.tsx';
import { Notice } from '#src/records/page-states.tsx';
import { PersonFacts } from '#src/records/person-facts.tsx';
import { PersonalData } from '#src/records/personal-data.tsx';
import { RecordHeading } from '#src/records/record-heading.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const underWayRefetchMs = 5_000;

/** One payout: whether the recipient has the money, and what became of it if not. */
export function ShowOwnPayout({ id }: { readonly id: string }) {
  const { texts } = useMerchantTexts();
  const { may } = useWorkplace();
  const { payouts } = texts;
  return (
    <ShowRecord
      follows={['payout.']}
      queryKey={['payout', id]}
      read={(signal, headers) => bodyOf(getPayout({ path: { id }, headers: { ...contract, ...headers }, signal }))}
      refetchMs={({ payout: { status } }) =>
        status === 'PENDING' || status === 'PROCESSING' ? underWayRefetchMs : false
      }
      heading={({ payout }) => (
        <RecordHeading
          kind={payouts.one}
          record={{ ...payout, amount_cents: payout.amount }}
          tone={toneOf[payout.status]}
          state={payouts.status[payout.status]}
        />
      )}
      parts={(answer) => (
        <>
          {answer ? null : <EntriesAlone id={id} />}
          {may('webhooks:read') ? <RecordDeliveries id={id} state={answer?.payout.status ?? ''} /> : null}
        </>
      )}
    >
      {({ payout }) => (
        <>
          {payout.status === 'PENDING' && payout.pending_reason !== null ? (
            <Notice>{payouts.pending[payout.pending_reason]}</Notice>
          ) : null}
          {payout.status === 'PENDING' && may('money:propose') ? (
            <p>
              <CancelRecord
                words={payouts.call}
                send={() => bodyOf(cancelPayout({ path: { id }, headers: contract }))}
                queryKey={['payout', id]}
              />
            </p>
          ) : null}
          {payout.status === 'PROCESSING' ? <Notice>{payouts.underWay}</Notice> : null}
          {payout.status === 'PAID' ? (
            <p>
              <Button onClick={() => window.print()}>{payouts.print}</Button>
            </p>
          ) : null}
          <PayoutFacts payout={payout} />
          {may('pii:reveal') ? <RecipientData id={id} /> : null}
          <PayoutHistory payout={payout} />
          <Simulate
            acts={actsOnPayout(payout)}
            takes="charges:write"
            currency={payout.currency}
            queryKey={['payout', id]}
          />
        </>
      )}
    </ShowRecord>
  );
}

/** The recipient as it was named, unmasked. */
function RecipientData({ id }: { readonly id: string }) {
  const { texts } = useMerchantTexts();
  const { facts } = texts;
  return (
    <PersonalData
      id={id}
      read={(headers, signal) => bodyOf(getPayout({ path: { id }, headers: { ...contract, ...headers }, signal }))}
    >
      {({ payout }) => (
        <PersonFacts who={facts.recipient} person={payout.recipient} more={[[facts.key, payout.payout_key]]} />
      )}
    </PersonalData>
  );
}

function PayoutFacts({ payout }: { readonly payout: OwnPayout }) {
  const { texts, language } = useMerchantTexts();
  const { facts, payouts, payments, records } = texts;
  const { currency, recipient, returned } = payout;
  const idOf = (value: string | null) => (value === null ? null : <RecordId id={value} />);
  return (
    <Facts
      facts={[
        [facts.externalId, idOf(payout.external_id)],
        [facts.fee, <Money key="fee" amount={payout.fee} currency={currency} />],
        [payouts.returned, returned === 0 ? null : <Money key="returned" amount={returned} currency={currency} />],
        [facts.recipient, recipient.name],
        [payments.document, recipient.document],
        [facts.key, `${payout.payout_key} (${payout.payout_key_type})`],
        [facts.kind, payouts.kind[payout.kind]],
        [facts.e2eId, idOf(payout.e2e_id)],
        [records.failure, payout.failure_message],
        [facts.created, formatTime(fromUnix(payout.created_at), language)],
        [payments.paidAt, payout.paid_at === null ? null : formatTime(new Date(payout.paid_at), language)],
        ...Object.entries(payout.metadata).map(([name, value]) => [name, String(value)] as const),
      ]}
    />
  );
}

function PayoutHistory({ payout }: { readonly payout: OwnPayout }) {
  const { texts } = useMerchantTexts();
  // A paid payout that comes back stays paid.
  const { entries, error, retry } = useEntriesOf(payout.id, `${payout.status} ${payout.returned}`);
  return <History events={timelineOf(payout, entries, texts)} error={error} retry={retry} />;
}
