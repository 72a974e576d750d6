import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { getDelivery, redeliverDelivery } from '#src/generated/merchants/sdk.gen.ts';
import type { DeliveryAttempt, DeliveryDetail } from '#src/generated/merchants/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { Status } from '#src/look/status.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { contract } from '#src/merchants/contract.ts';
import { answerOf, timingOf, toneOf } from '#src/merchants/webhooks/describe-delivery.ts';
import { WebhookHeading } from '#src/merchants/webhooks/webhook-heading.tsx';
import { DeliveryBodies } from '#src/records/delivery-bodies.tsx';
import { Facts } from '#src/records/facts.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { PersonalData } from '#src/records/personal-data.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { shortId } from '#src/records/short-id.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const underWayRefetchMs = 1_000;

/** One delivery: each attempt with where its time went, and another one at once. */
export function ShowDelivery({ id }: { readonly id: string }) {
  const { texts } = useMerchantTexts();
  const { may } = useWorkplace();
  const { webhooks } = texts;
  const queryKey = ['delivery', id];
  return (
    <ShowRecord
      queryKey={queryKey}
      read={(signal, headers) => bodyOf(getDelivery({ path: { id }, headers: { ...contract, ...headers }, signal }))}
      refetchMs={({ status }) => (status === 'PENDING' ? underWayRefetchMs : false)}
      heading={({ event, status }) => (
        <WebhookHeading
          kind={webhooks.delivery}
          name={event}
          id={id}
          state={<Status tone={toneOf[status]} word={webhooks.deliveryStatus[status]} />}
        />
      )}
    >
      {(delivery) => (
        <>
          <Resend id={id} queryKey={queryKey} />
          <DeliveryFacts delivery={delivery} />
          <Attempts attempts={delivery.attempt_log} />
          {may('pii:reveal') ? (
            <PersonalData
              id={id}
              read={(headers, signal) =>
                bodyOf(getDelivery({ path: { id }, headers: { ...contract, ...headers }, signal }))
              }
            >
              {(revealed) => <DeliveryBodies delivery={revealed} />}
            </PersonalData>
          ) : null}
        </>
      )}
    </ShowRecord>
  );
}

function Resend({ id, queryKey }: { readonly id: string; readonly queryKey: readonly string[] }) {
  const { texts } = useMerchantTexts();
  const { may } = useWorkplace();
  const queries = useQueryClient();
  const resend = useMutation({
    mutationFn: () => bodyOf(redeliverDelivery({ path: { id }, headers: contract })),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  if (!may('webhooks:write')) return null;
  return (
    <section className={styles['section']}>
      <p>
        <Button look="primary" busy={resend.isPending} onClick={() => resend.mutate()}>
          {texts.webhooks.resend}
        </Button>
      </p>
      {resend.error ? <Failed error={resend.error} /> : null}
    </section>
  );
}

function DeliveryFacts({ delivery }: { readonly delivery: DeliveryDetail }) {
  const { texts, language } = useMerchantTexts();
  const { facts, webhooks } = texts;
  const { webhook_id: endpoint, next_attempt_at: next } = delivery;
  return (
    <Facts
      facts={[
        [
          webhooks.one,
          endpoint === null ? null : (
            <Link key="endpoint" to="/webhooks/$id" params={{ id: endpoint }}>
              <code title={endpoint}>{shortId(endpoint)}</code>
            </Link>
          ),
        ],
        [webhooks.callback, delivery.callback_url],
        [facts.record, <RecordId key="record" id={delivery.data_id} />],
        [webhooks.answer, answerOf(delivery)],
        [webhooks.next, next === null ? null : formatTime(fromUnix(next), language)],
        [facts.created, formatTime(fromUnix(delivery.created_at), language)],
      ]}
    />
  );
}

function Attempts({ attempts }: { readonly attempts: readonly DeliveryAttempt[] }) {
  const { texts, language } = useMerchantTexts();
  const { records, webhooks } = texts;
  if (attempts.length === 0) return null;
  return (
    <section className={styles['section']}>
      <h2>{records.attempts}</h2>
      <RecordTable
        caption={records.attempts}
        rows={attempts}
        keyOf={({ number }) => String(number)}
        columns={[
          { heading: webhooks.attempt, show: ({ number }) => number },
          { heading: webhooks.answered, show: (attempt) => answerOf(attempt) },
          { heading: webhooks.time, show: (attempt) => timingOf(attempt) },
          { heading: webhooks.trigger, show: ({ trigger }) => webhooks.triggers[trigger] },
          { heading: webhooks.started, show: ({ started_at: at }) => formatTime(new Date(at), language) },
        ]}
      />
    </section>
  );
}
