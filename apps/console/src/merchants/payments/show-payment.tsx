import { useNavigate } from '@tanstack/react-router';
import { getDeposit } from '#src/generated/merchants/sdk.gen.ts';
import type { Deposit } from '#src/generated/merchants/types.gen.ts';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { contract } from '#src/merchants/contract.ts';
import { EntriesAlone } from '#src/merchants/history/entries-alone.tsx';
import { toneOf } from '#src/merchants/payments/describe-payment.ts';
import { PaymentActions } from '#src/merchants/payments/payment-actions.tsx';
import { PaymentHistory } from '#src/merchants/payments/payment-history.tsx';
import { actsOnDeposit } from '#src/merchants/simulate/acts.ts';
import { Simulate } from '#src/merchants/simulate/simulate.tsx';
import { RecordDeliveries } from '#src/merchants/webhooks/record-deliveries.tsx';
import { Money } from '#src/money/money.tsx';
import { Facts } from '#src/records/facts.tsx';
import { PersonFacts } from '#src/records/person-facts.tsx';
import { PersonalData } from '#src/records/personal-data.tsx';
import { RecordHeading } from '#src/records/record-heading.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const waitingRefetchMs = 5_000;

/** One payment: whether it was paid and by whom, what went back, and what the merchant's systems were sent about it. */
export function ShowPayment({ id }: { readonly id: string }) {
  const { texts } = useMerchantTexts();
  const { may } = useWorkplace();
  const { payments } = texts;
  const queryKey = ['payment', id];
  const navigate = useNavigate();
  const toDispute = ({ object, id: disputeId }: { readonly object?: string; readonly id?: string }) => {
    if (object === 'dispute' && disputeId !== undefined) {
      void navigate({ to: '/disputes/$id', params: { id: disputeId } });
    }
  };
  return (
    <ShowRecord
      follows={['deposit.', 'refund.']}
      queryKey={queryKey}
      read={(signal, headers) => bodyOf(getDeposit({ path: { id }, headers: { ...contract, ...headers }, signal }))}
      refetchMs={({ status }) => (status === 'PENDING' ? waitingRefetchMs : false)}
      heading={(deposit) => (
        <RecordHeading
          kind={payments.one}
          record={{ ...deposit, amount_cents: deposit.amount }}
          tone={toneOf[deposit.status]}
          state={payments.status[deposit.status]}
        />
      )}
      parts={(deposit) => (
        <>
          {deposit ? null : <EntriesAlone id={id} />}
          {may('webhooks:read') ? <RecordDeliveries id={id} state={deposit?.status ?? ''} /> : null}
        </>
      )}
    >
      {(deposit) => (
        <>
          <PaymentActions deposit={deposit} queryKey={queryKey} />
          <PaymentFacts deposit={deposit} />
          {may('pii:reveal') ? (
            <PersonalData
              id={id}
              read={(headers, signal) =>
                bodyOf(getDeposit({ path: { id }, headers: { ...contract, ...headers }, signal }))
              }
            >
              {(revealed) => <Payers deposit={revealed} />}
            </PersonalData>
          ) : null}
          <PaymentHistory deposit={deposit} />
          <Simulate
            acts={actsOnDeposit(deposit)}
            takes="charges:write"
            currency={deposit.currency}
            queryKey={queryKey}
            onDone={toDispute}
          />
        </>
      )}
    </ShowRecord>
  );
}

/** The payer whom the merchant named, and who has paid. */
function Payers({ deposit: { payer, payer_details: paidBy } }: { readonly deposit: Deposit }) {
  const { texts } = useMerchantTexts();
  const { records, reveal } = texts;
  return (
    <>
      {payer ? <PersonFacts who={reveal.person.asGiven} person={payer} /> : null}
      {paidBy ? <PersonFacts who={records.payer} person={paidBy} /> : null}
    </>
  );
}

function PaymentFacts({ deposit }: { readonly deposit: Deposit }) {
  const { texts, language } = useMerchantTexts();
  const { facts, payments, records } = texts;
  const { currency, payer, payer_details: paidBy, refunded, amount_received: received, amount } = deposit;
  const money = (minorUnits: number) => <Money amount={minorUnits} currency={currency} />;
  const idOf = (value: string | null | undefined) => (value ? <RecordId id={value} /> : null);
  const isPaid = deposit.paid_at !== undefined;
  return (
    <Facts
      facts={[
        [facts.externalId, <RecordId key="external" id={deposit.external_id} />],
        [facts.fee, isPaid ? money(deposit.fee) : null],
        [payments.net, isPaid ? money(deposit.net) : null],
        [payments.refunded, refunded === 0 ? null : money(refunded)],
        [payments.received, received === 0 || received === amount ? null : money(received)],
        [records.payer, paidBy?.name ?? payer?.name],
        [payments.document, paidBy?.document ?? payer?.document],
        [payments.bank, paidBy?.bank],
        [facts.e2eId, idOf(deposit.e2e_id)],
        [facts.kind, deposit.payment_method],
        [payments.description, deposit.description],
        [facts.created, formatTime(fromUnix(deposit.created_at), language)],
        [payments.expires, deposit.status === 'PENDING' ? formatTime(fromUnix(deposit.expires_at), language) : null],
        [payments.paidAt, deposit.paid_at === undefined ? null : formatTime(new Date(deposit.paid_at), language)],
        ...Object.entries(deposit.metadata).map(([name, value]) => [name, String(value)] as const),
      ]}
    />
  );
}
