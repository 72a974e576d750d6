import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AccountFrame } from '#src/accounts/account-frame.tsx';
import { Act } from '#src/changes/act.tsx';
import { Changes } from '#src/changes/changes.tsx';
import { getAccountDelivery, redeliverAccountDelivery } from '#src/generated/sdk.gen.ts';
import type { OperatorDeliveryDetail } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { answerOf, timingOf, toneOf } from '#src/records/deliveries.ts';
import { DeliveryBodies } from '#src/records/delivery-bodies.tsx';
import { Facts } from '#src/records/facts.tsx';
import { Failed, Skeleton } from '#src/records/page-states.tsx';
import { PersonalData } from '#src/records/personal-data.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { backgroundHeaders, bodyOf } from '#src/records/refusal.ts';
import { shortId } from '#src/records/short-id.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const underWayRefetchMs = 1_000;

interface OfDelivery {
  readonly id: string;
  readonly deliveryId: string;
}

/** One delivery of an account: each attempt with where its time went, and another one at once. */
export function ShowAccountDelivery({ id, deliveryId }: OfDelivery) {
  const queryKey = ['account', id, 'delivery', deliveryId];
  const path = { id, deliveryId };
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal, client }) => {
      const headers = backgroundHeaders(client.getQueryData(queryKey) !== undefined);
      return bodyOf(getAccountDelivery({ path, headers, signal }));
    },
    refetchInterval: ({ state }) => (state.data?.status === 'PENDING' ? underWayRefetchMs : false),
  });
  const may = useMay();
  return (
    <AccountFrame id={id}>
      {() => (
        <>
          {error ? <Failed error={error} retry={() => void refetch()} /> : null}
          {data || error ? null : <Skeleton />}
          {data ? <Delivery path={path} delivery={data} /> : null}
          {data && may('pii:reveal') ? (
            <PersonalData
              id={deliveryId}
              read={(headers, signal) => bodyOf(getAccountDelivery({ path, headers, signal }))}
            >
              {(revealed) => <DeliveryBodies delivery={revealed} />}
            </PersonalData>
          ) : null}
        </>
      )}
    </AccountFrame>
  );
}

function Delivery({ path, delivery }: { readonly path: OfDelivery; readonly delivery: OperatorDeliveryDetail }) {
  const { texts, language } = useOperatorTexts();
  const { accounts, facts, records } = texts;
  const { webhooks } = accounts;
  const may = useMay();
  const { webhook_id: webhookId, next_attempt_at: next, status, attempt_log: attempts } = delivery;
  return (
    <section className={styles['section']}>
      <h2>
        <code>{delivery.event}</code> <Status tone={toneOf[status]} word={webhooks.deliveryStatus[status]} />
      </h2>
      {may('webhooks:write') ? (
        <Changes>
          <Act label={webhooks.resend} look="primary" send={() => bodyOf(redeliverAccountDelivery({ path }))} />
        </Changes>
      ) : null}
      <Facts
        facts={[
          [
            webhooks.one,
            webhookId === null ? null : (
              <Link key="endpoint" to="/accounts/$id/webhooks/$webhookId" params={{ id: path.id, webhookId }}>
                <code title={webhookId}>{shortId(webhookId)}</code>
              </Link>
            ),
          ],
          [webhooks.callback, delivery.callback_url],
          [facts.record, <RecordId key="record" id={delivery.data_id} />],
          [webhooks.answer, answerOf(delivery)],
          [webhooks.next, next === null ? null : formatTime(fromUnix(next), language)],
          [facts.environment, texts.environment[delivery.environment]],
          [facts.created, formatTime(fromUnix(delivery.created_at), language)],
        ]}
      />
      {attempts.length === 0 ? null : (
        <>
          <h3>{records.attempts}</h3>
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
        </>
      )}
    </section>
  );
}
