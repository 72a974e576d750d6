import { Link } from '@tanstack/react-router';
import type { Delivery } from '#src/generated/merchants/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { answerOf, toneOf } from '#src/merchants/webhooks/describe-delivery.ts';
import { type Column, RecordTable } from '#src/records/record-table.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

interface DeliveryTableProps {
  readonly rows: readonly Delivery[];
  /** What stands beside the event of each: where it went, where the rows are of several receivers. */
  readonly more?: readonly Column<Delivery>[];
}

/** What was sent, and what became of it. */
export function DeliveryTable({ rows, more = [] }: DeliveryTableProps) {
  const { texts, language } = useMerchantTexts();
  const { facts, records, webhooks } = texts;
  return (
    <RecordTable
      caption={webhooks.deliveries}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: webhooks.event,
          show: ({ id, event }) => (
            <Link to="/deliveries/$id" params={{ id }}>
              <code>{event}</code>
            </Link>
          ),
        },
        ...more,
        {
          heading: facts.status,
          show: ({ status }) => <Status tone={toneOf[status]} word={webhooks.deliveryStatus[status]} />,
        },
        { heading: webhooks.answer, show: (delivery) => answerOf(delivery) },
        { heading: records.attempts, align: 'right', show: ({ attempts }) => attempts },
        {
          heading: webhooks.next,
          show: ({ next_attempt_at: at }) => (at === null ? '–' : formatTime(fromUnix(at), language)),
        },
        { heading: facts.created, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
      ]}
    />
  );
}
