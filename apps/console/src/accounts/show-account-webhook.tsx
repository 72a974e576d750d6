import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { AccountFrame } from '#src/accounts/account-frame.tsx';
import { Act } from '#src/changes/act.tsx';
import { Change } from '#src/changes/change.tsx';
import { Changes } from '#src/changes/changes.tsx';
import { textIn } from '#src/changes/typed.ts';
import {
  enableAccountWebhook,
  getAccountWebhook,
  listAccountWebhookDeliveries,
  pauseAccountWebhook,
  recoverAccountWebhook,
} from '#src/generated/sdk.gen.ts';
import type { Delivery, DeliveryStatus, ListAccountWebhookDeliveriesData, Webhook } from '#src/generated/types.gen.ts';
import { TextField } from '#src/look/field.tsx';
import { Status } from '#src/look/status.tsx';
import { answerOf, endpointToneOf, toneOf } from '#src/records/deliveries.ts';
import { Facts } from '#src/records/facts.tsx';
import { Filters, StateFilter } from '#src/records/list-head.tsx';
import { Failed, Notice, Skeleton } from '#src/records/page-states.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';
import { Latency } from '#src/volumes/latency.tsx';

export type AccountDeliveriesQuery = NonNullable<ListAccountWebhookDeliveriesData['query']>;

interface OfWebhook {
  readonly id: string;
  readonly webhookId: string;
}

const hoursMax = 720;
const hourSec = 3_600;

/** One endpoint of an account: whether it is sent to, what it was sent, and what an operator does when it fails. */
export function ShowAccountWebhook({ id, webhookId, query }: OfWebhook & { readonly query: AccountDeliveriesQuery }) {
  const { texts } = useOperatorTexts();
  const { webhooks } = texts.accounts;
  const { data, error, refetch } = useQuery({
    queryKey: ['account', id, 'webhook', webhookId],
    queryFn: ({ signal }) => bodyOf(getAccountWebhook({ path: { id, webhookId }, signal })),
  });
  return (
    <AccountFrame id={id}>
      {() => (
        <>
          <p>
            <Link to="/accounts/$id/webhooks" params={{ id }}>
              {webhooks.back}
            </Link>
          </p>
          {error ? <Failed error={error} retry={() => void refetch()} /> : null}
          {data || error ? null : <Skeleton />}
          {data ? <Endpoint id={id} webhook={data} /> : null}
          <Deliveries id={id} webhookId={webhookId} query={query} />
        </>
      )}
    </AccountFrame>
  );
}

function Endpoint({ id, webhook }: { readonly id: string; readonly webhook: Webhook }) {
  const { texts, language } = useOperatorTexts();
  const { accounts, facts } = texts;
  const { webhooks } = accounts;
  const may = useMay();
  const { id: webhookId, status, disabled_reason: reason } = webhook;
  const path = { id, webhookId };
  return (
    <section className={styles['section']}>
      <h2>{webhook.name}</h2>
      {reason === null ? null : <Notice>{webhooks.disabled[reason]}</Notice>}
      {may('webhooks:write') ? (
        <Changes>
          <Recover id={id} webhookId={webhookId} />
          {status === 'enabled' ? (
            <Act label={webhooks.pause} send={() => bodyOf(pauseAccountWebhook({ path }))} />
          ) : (
            <Act label={webhooks.enable} send={() => bodyOf(enableAccountWebhook({ path }))} />
          )}
        </Changes>
      ) : null}
      <Facts
        facts={[
          [facts.status, <Status key="status" tone={endpointToneOf[status]} word={webhooks.status[status]} />],
          [webhooks.url, <code key="url">{webhook.url}</code>],
          [webhooks.events, webhook.events.join(', ')],
          [facts.environment, texts.environment[webhook.environment]],
          [webhooks.contract, webhook.api_version],
          [webhooks.rate, webhook.rate_limit_per_second],
          [facts.created, formatTime(fromUnix(webhook.created_at), language)],
        ]}
      />
    </section>
  );
}

/** Sends once more what failed since a time. */
function Recover(path: OfWebhook) {
  const { texts } = useOperatorTexts();
  const { recover } = texts.accounts.webhooks;
  const send = (typed: FormData) => {
    const since = Math.floor(Date.now() / 1_000) - Number(textIn(typed, 'hours')) * hourSec;
    return bodyOf(recoverAccountWebhook({ path, body: { since } }));
  };
  return (
    <Change
      open={recover.open}
      look="primary"
      title={recover.title}
      about={recover.about}
      confirm={recover.confirm}
      send={send}
      done={({ count }) => <p role="status">{recover.done(count)}</p>}
    >
      <TextField name="hours" label={recover.hours} type="number" min={1} max={hoursMax} defaultValue="24" required />
    </Change>
  );
}

function Deliveries({ id, webhookId, query }: OfWebhook & { readonly query: AccountDeliveriesQuery }) {
  const { texts } = useOperatorTexts();
  const { accounts, records } = texts;
  const { webhooks } = accounts;
  const navigate = useNavigate();
  const filter = (status: DeliveryStatus | undefined) => {
    const search = status === undefined ? {} : { status };
    void navigate({ to: '/accounts/$id/webhooks/$webhookId', params: { id, webhookId }, search });
  };
  return (
    <section className={styles['section']}>
      <h2>{webhooks.deliveries}</h2>
      <Filters>
        <StateFilter
          states={Object.keys(webhooks.deliveryStatus) as DeliveryStatus[]}
          words={webhooks.deliveryStatus}
          chosen={query.status}
          onChoose={filter}
        />
      </Filters>
      <RecordList
        name={`deliveries ${webhookId}`}
        query={query}
        read={(signal) => bodyOf(listAccountWebhookDeliveries({ path: { id, webhookId }, query, signal }))}
        empty={() => (query.status === undefined ? webhooks.noDeliveries : records.empty)}
      >
        {(rows) => (
          <>
            <Latency deliveries={rows} />
            <DeliveryTable accountId={id} rows={rows} />
          </>
        )}
      </RecordList>
    </section>
  );
}

function DeliveryTable({ accountId, rows }: { readonly accountId: string; readonly rows: readonly Delivery[] }) {
  const { texts, language } = useOperatorTexts();
  const { accounts, facts, records } = texts;
  const { webhooks } = accounts;
  return (
    <RecordTable
      caption={webhooks.deliveries}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: webhooks.event,
          show: ({ id: deliveryId, event }) => (
            <Link to="/accounts/$id/deliveries/$deliveryId" params={{ id: accountId, deliveryId }}>
              <code>{event}</code>
            </Link>
          ),
        },
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
