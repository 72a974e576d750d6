import { Link } from '@tanstack/react-router';
import type { Deposit } from '#src/generated/merchants/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { toneOf } from '#src/merchants/payments/describe-payment.ts';
import { Money } from '#src/money/money.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { shortId } from '#src/records/short-id.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

/** Payments, each by the reference that the merchant gave it. */
export function PaymentTable({ rows }: { readonly rows: readonly Deposit[] }) {
  const { texts, language } = useMerchantTexts();
  const { facts, payments, records } = texts;
  return (
    <RecordTable
      caption={payments.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: facts.externalId,
          show: ({ id, external_id: externalId }) => (
            <Link to="/payments/$id" params={{ id }}>
              {externalId}
            </Link>
          ),
        },
        {
          heading: facts.status,
          show: ({ status }) => <Status tone={toneOf[status]} word={payments.status[status]} />,
        },
        {
          heading: facts.amount,
          align: 'right',
          show: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
        },
        {
          heading: payments.net,
          inCards: 'left out',
          align: 'right',
          show: ({ net, currency, status }) =>
            status === 'PAID' || status === 'REFUNDED' ? <Money amount={net} currency={currency} /> : '–',
        },
        { heading: records.payer, show: ({ payer, payer_details: paidBy }) => paidBy?.name ?? payer?.name ?? '–' },
        { heading: facts.created, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
        { heading: facts.record, inCards: 'left out', show: ({ id }) => <code title={id}>{shortId(id)}</code> },
      ]}
    />
  );
}
