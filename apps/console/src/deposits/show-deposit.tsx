import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Changes } from '#src/changes/changes.tsx';
import { EnterDispute } from '#src/deposits/enter-dispute.tsx';
import { paymentToneOf, toneOf } from '#src/deposits/describe-deposit.ts';
import { getDeposit, getDepositTimeline, retryDepositLookup } from '#src/generated/sdk.gen.ts';
import type { OperatorDepositWithPayments, ReceivedTransfer } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { AccountLink } from '#src/records/account-link.tsx';
import { Facts } from '#src/records/facts.tsx';
import { LookUp } from '#src/records/look-up.tsx';
import { SectionName } from '#src/records/page-name.tsx';
import { PersonFacts } from '#src/records/person-facts.tsx';
import { PersonalData } from '#src/records/personal-data.tsx';
import { RecordHeading } from '#src/records/record-heading.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { RecordTimeline } from '#src/records/record-timeline.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { useMay, useSession } from '#src/session/session.tsx';
import { TraceId } from '#src/session/trace-id.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

/** One deposit: what arrived for it, what went back, and what happened to it. */
export function ShowDeposit({ id }: { readonly id: string }) {
  const { texts } = useOperatorTexts();
  const { permissions } = useSession();
  const may = useMay();
  const { deposits } = texts;
  const queryKey = ['deposit', id];
  return (
    <ShowRecord
      follows={['deposit.', 'refund.', 'med.']}
      queryKey={queryKey}
      read={(signal, headers) => bodyOf(getDeposit({ path: { id }, headers, signal }))}
      heading={({ deposit }) => (
        <RecordHeading
          kind={deposits.one}
          record={deposit}
          tone={toneOf[deposit.status]}
          state={deposits.status[deposit.status]}
        />
      )}
    >
      {({ deposit }) => (
        <>
          {deposit.status === 'PENDING' || deposit.status === 'EXPIRED' ? (
            <LookUp
              ask={() => bodyOf(retryDepositLookup({ path: { id } }))}
              queryKey={queryKey}
              permissions={permissions}
            />
          ) : null}
          <Changes>
            <EnterDispute deposit={deposit} />
          </Changes>
          <DepositFacts deposit={deposit} />
          {may('pii:reveal') ? (
            <PersonalData id={id} read={(headers, signal) => bodyOf(getDeposit({ path: { id }, headers, signal }))}>
              {(revealed) => <Payers deposit={revealed.deposit} />}
            </PersonalData>
          ) : null}
          <Arrived deposit={deposit} />
          <p className={styles['links']}>
            <Link to="/refunds" search={{ deposit_id: id }}>
              {deposits.itsRefunds}
            </Link>
            <Link to="/disputes" search={{ deposit_id: id }}>
              {deposits.itsDisputes}
            </Link>
          </p>
          <RecordTimeline
            queryKey={queryKey}
            state={deposit.status}
            read={(signal) => bodyOf(getDepositTimeline({ path: { id }, signal }))}
          />
        </>
      )}
    </ShowRecord>
  );
}

function DepositFacts({ deposit }: { readonly deposit: OperatorDepositWithPayments }) {
  const { texts, language } = useOperatorTexts();
  const { deposits, facts, records } = texts;
  const { currency, payer, payer_details: paidBy, received_cents: received, refunded_cents: refunded } = deposit;
  const money = (amount: number) => <Money amount={amount} currency={currency} />;
  const idOf = (value: string | null | undefined) => (value ? <RecordId id={value} /> : null);
  return (
    <Facts
      facts={[
        [facts.account, <AccountLink key="account" id={deposit.account_id} />],
        [facts.environment, texts.environment[deposit.environment]],
        [facts.fee, money(deposit.fee_cents)],
        [deposits.net, money(deposit.net_cents)],
        [deposits.refunded, refunded === 0 ? null : money(refunded)],
        [deposits.received, received === deposit.amount_cents || received === 0 ? null : money(received)],
        [facts.kind, deposit.payment_method],
        [records.payer, paidBy?.name ?? payer?.name],
        [facts.externalId, deposit.external_id],
        [facts.e2eId, idOf(deposit.e2e_id)],
        [facts.provider, deposit.provider],
        [facts.reference, idOf(deposit.reference)],
        [facts.providerRef, idOf(deposit.provider_ref)],
        [facts.created, formatTime(fromUnix(deposit.created_at), language)],
        [deposits.expires, deposit.status === 'PENDING' ? formatTime(fromUnix(deposit.expires_at), language) : null],
        [deposits.paidAt, deposit.paid_at === undefined ? null : formatTime(new Date(deposit.paid_at), language)],
        [facts.traceId, deposit.trace_id === null ? null : <TraceId key="trace" id={deposit.trace_id} />],
      ]}
    />
  );
}

/** The payer whom the merchant named, and the one who has paid. */
function Payers({ deposit: { payer, payments, transfers } }: { readonly deposit: OperatorDepositWithPayments }) {
  const { texts } = useOperatorTexts();
  const { facts, records, reveal } = texts;
  return (
    <>
      {payer ? <PersonFacts who={reveal.person.asGiven} person={payer} /> : null}
      {[...payments, ...transfers].map(({ e2e_id: e2eId, transfer_id: transferId, payer_details: paidBy }) => (
        <PersonFacts
          key={`${e2eId} ${transferId ?? ''}`}
          who={records.payer}
          person={paidBy}
          more={[[facts.e2eId, <RecordId key="e2e" id={e2eId} />]]}
        />
      ))}
    </>
  );
}

/** Payments as the ledger has decided about them; a transfer that makes up a part of one stands below it. */
function Arrived({ deposit: { payments, transfers } }: { readonly deposit: OperatorDepositWithPayments }) {
  const { texts, language } = useOperatorTexts();
  const { deposits, facts } = texts;
  const rows: readonly (ReceivedTransfer & { readonly key: string; readonly shown: ReactNode })[] = [
    ...payments.map((payment) => ({
      ...payment,
      key: `payment ${payment.e2e_id} ${payment.transfer_id ?? ''}`,
      shown: <Status tone={paymentToneOf[payment.state]} word={deposits.paymentState[payment.state]} />,
    })),
    ...transfers.map((transfer) => ({
      ...transfer,
      key: `transfer ${transfer.e2e_id} ${transfer.transfer_id ?? ''}`,
      shown: <Status tone="info" word={deposits.transferred} />,
    })),
  ];
  if (rows.length === 0) return null;
  return (
    <section className={styles['section']}>
      <SectionName>{deposits.payments}</SectionName>
      <RecordTable
        caption={deposits.payments}
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          { heading: facts.e2eId, show: ({ e2e_id: e2eId }) => <RecordId id={e2eId} /> },
          { heading: facts.status, show: ({ shown }) => shown },
          {
            heading: facts.amount,
            align: 'right',
            show: ({ amount_cents: amount, currency }) => <Money amount={amount} currency={currency} />,
          },
          { heading: texts.records.payer, show: ({ payer_details: payer }) => payer.name ?? '–' },
          { heading: facts.provider, show: ({ provider }) => provider },
          { heading: deposits.paidAt, show: ({ paid_at: at }) => formatTime(new Date(at), language) },
        ]}
      />
    </section>
  );
}
