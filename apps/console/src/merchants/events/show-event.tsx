import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getEvent, listEventDeliveries } from '#src/generated/merchants/sdk.gen.ts';
import type { Delivery, Event } from '#src/generated/merchants/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { contract } from '#src/merchants/contract.ts';
import { DeliverEvent } from '#src/merchants/events/deliver-event.tsx';
import { RecordOfEvent } from '#src/merchants/events/record-of-event.tsx';
import { DeliveryTable } from '#src/merchants/webhooks/delivery-table.tsx';
import { useEndpoints } from '#src/merchants/webhooks/use-endpoints.ts';
import { WebhookHeading } from '#src/merchants/webhooks/webhook-heading.tsx';
import { Block } from '#src/records/block.tsx';
import { Facts } from '#src/records/facts.tsx';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import type { Column } from '#src/records/record-table.tsx';
import { backgroundHeaders, bodyOf } from '#src/records/refusal.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const underWayRefetchMs = 1_000;
const indentation = 2;

/** One event of the log: the record as it was then, what was sent of it, and another endpoint to send it to. */
export function ShowEvent({ id }: { readonly id: string }) {
  const { texts } = useMerchantTexts();
  const { events, webhooks } = texts;
  return (
    <ShowRecord
      queryKey={['event', id]}
      read={(signal, headers) => bodyOf(getEvent({ path: { id }, headers: { ...contract, ...headers }, signal }))}
      heading={({ event, environment }) => (
        <WebhookHeading kind={webhooks.event} name={event} id={id} state={null} environment={environment} />
      )}
    >
      {(event) => (
        <>
          <EventFacts event={event} />
          <section className={styles['section']}>
            <h2>{events.payload}</h2>
            <p>{events.payloadAbout}</p>
            <Block label={events.payload}>{JSON.stringify(event.data, null, indentation)}</Block>
          </section>
          <EventDeliveries id={id} />
        </>
      )}
    </ShowRecord>
  );
}

function EventFacts({ event }: { readonly event: Event }) {
  const { texts, language } = useMerchantTexts();
  const { events, facts, webhooks } = texts;
  return (
    <Facts
      facts={[
        [facts.record, <RecordOfEvent key="record" id={event.data_id} />],
        [events.happened, formatTime(fromUnix(event.created_at), language)],
        [webhooks.contract, event.api_version],
      ]}
    />
  );
}

function EventDeliveries({ id }: { readonly id: string }) {
  const { texts } = useMerchantTexts();
  const { events, webhooks } = texts;
  const { may } = useWorkplace();
  const [isOpen, setOpen] = useState(false);
  const queryKey = ['event-deliveries', id];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal, client }) => {
      const headers = { ...contract, ...backgroundHeaders(client.getQueryData(queryKey) !== undefined) };
      return bodyOf(listEventDeliveries({ path: { id }, headers, signal }));
    },
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === 'PENDING') === true ? underWayRefetchMs : false,
  });
  const endpoints = useEndpoints().data?.data ?? [];
  const receiver: Column<Delivery> = {
    heading: webhooks.one,
    show: ({ webhook_id: to, callback_url: address }) =>
      endpoints.find((each) => each.id === to)?.name ?? address ?? to,
  };
  return (
    <section className={styles['section']}>
      <h2>{webhooks.deliveries}</h2>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton lines={2} />}
      {data?.data.length === 0 ? <Empty>{events.noDeliveries}</Empty> : null}
      {data && data.data.length > 0 ? <DeliveryTable rows={data.data} more={[receiver]} /> : null}
      {may('webhooks:write') ? (
        <p>
          <Button onClick={() => setOpen(true)}>{events.deliver.open}</Button>
        </p>
      ) : null}
      <DeliverEvent id={id} open={isOpen} onClose={() => setOpen(false)} queryKey={queryKey} />
    </section>
  );
}
