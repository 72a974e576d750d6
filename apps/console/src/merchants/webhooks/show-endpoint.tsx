import { getWebhook, listWebhookDeliveries } from '#src/generated/merchants/sdk.gen.ts';
import type { DeliveryStatus, Webhook } from '#src/generated/merchants/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import type { DeliveriesQuery } from '#src/merchants/addresses.ts';
import { contract } from '#src/merchants/contract.ts';
import { useFilter } from '#src/merchants/list-filters.tsx';
import { actsOnEndpoint } from '#src/merchants/simulate/acts.ts';
import { Simulate } from '#src/merchants/simulate/simulate.tsx';
import { DeliveryTable } from '#src/merchants/webhooks/delivery-table.tsx';
import { endpointToneOf, events } from '#src/merchants/webhooks/describe-delivery.ts';
import { EndpointActions } from '#src/merchants/webhooks/endpoint-actions.tsx';
import { WebhookHeading } from '#src/merchants/webhooks/webhook-heading.tsx';
import { Facts } from '#src/records/facts.tsx';
import { StateFilter } from '#src/records/list-head.tsx';
import { Notice } from '#src/records/page-states.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import recordStyles from '#src/records/record-page.module.css';
import { bodyOf } from '#src/records/refusal.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';
import { Latency } from '#src/volumes/latency.tsx';
import styles from './show-endpoint.module.css';

interface ShowEndpointProps {
  readonly id: string;
  readonly query: DeliveriesQuery;
}

/** One endpoint: whether it is sent to, what it was sent, and what is done when it fails. */
export function ShowEndpoint({ id, query }: ShowEndpointProps) {
  const { texts } = useMerchantTexts();
  const { webhooks } = texts;
  const queryKey = ['endpoint', id];
  return (
    <ShowRecord
      queryKey={queryKey}
      read={(signal, headers) => bodyOf(getWebhook({ path: { id }, headers: { ...contract, ...headers }, signal }))}
      heading={({ name, status, environment }) => (
        <WebhookHeading
          kind={webhooks.one}
          name={name}
          id={id}
          state={<Status tone={endpointToneOf[status]} word={webhooks.status[status]} />}
          environment={environment}
        />
      )}
    >
      {(endpoint) => (
        <>
          {endpoint.disabled_reason === null ? null : <Notice>{webhooks.disabled[endpoint.disabled_reason]}</Notice>}
          <EndpointActions endpoint={endpoint} queryKey={queryKey} />
          <EndpointFacts endpoint={endpoint} />
          <Deliveries id={id} query={query} />
          <Simulate acts={actsOnEndpoint(endpoint)} takes="webhooks:write" queryKey={queryKey} />
        </>
      )}
    </ShowRecord>
  );
}

function EndpointFacts({ endpoint }: { readonly endpoint: Webhook }) {
  const { texts, language } = useMerchantTexts();
  const { facts, webhooks } = texts;
  const rate = endpoint.rate_limit_per_second;
  return (
    <Facts
      facts={[
        [webhooks.url, <code key="url">{endpoint.url}</code>],
        [webhooks.events, endpoint.events.length === events.length ? webhooks.allEvents : endpoint.events.join(', ')],
        [webhooks.contract, endpoint.api_version],
        [webhooks.rate, rate],
        [facts.created, formatTime(fromUnix(endpoint.created_at), language)],
      ]}
    />
  );
}

function Deliveries({ id, query }: ShowEndpointProps) {
  const { texts } = useMerchantTexts();
  const { webhooks, records } = texts;
  const filter = useFilter();
  return (
    <section className={recordStyles['section']}>
      <div className={styles['head']}>
        <h2>{webhooks.deliveries}</h2>
        <StateFilter
          states={Object.keys(webhooks.deliveryStatus) as DeliveryStatus[]}
          words={webhooks.deliveryStatus}
          chosen={query.status}
          onChoose={(status) => filter({ status })}
        />
      </div>
      <RecordList
        name={`deliveries ${id}`}
        query={query}
        read={(signal) => bodyOf(listWebhookDeliveries({ path: { id }, query, headers: contract, signal }))}
        empty={() => (query.status === undefined ? webhooks.noDeliveries : records.empty)}
      >
        {(rows) => (
          <>
            <Latency deliveries={rows} />
            <DeliveryTable rows={rows} />
          </>
        )}
      </RecordList>
    </section>
  );
}
