import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Webhook } from '#src/generated/merchants/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { Status } from '#src/look/status.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { CallbackSecret } from '#src/merchants/webhooks/callback-secret.tsx';
import { CreateEndpoint } from '#src/merchants/webhooks/create-endpoint.tsx';
import { endpointToneOf } from '#src/merchants/webhooks/describe-delivery.ts';
import { useEndpoints } from '#src/merchants/webhooks/use-endpoints.ts';
import { ListHead } from '#src/records/list-head.tsx';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

/** Where the account's events are sent, and which of these places is not sent to any more. */
export function ListEndpoints() {
  const { texts } = useMerchantTexts();
  const { webhooks } = texts;
  const { may } = useWorkplace();
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useEndpoints();
  return (
    <div className={styles['page']}>
      <ListHead title={webhooks.title}>
        {may('webhooks:write') ? (
          <>
            <Button look="primary" onClick={() => setOpen(true)}>
              {webhooks.create.open}
            </Button>
            <CallbackSecret />
          </>
        ) : null}
      </ListHead>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton />}
      {data?.data.length === 0 ? <Empty>{webhooks.first}</Empty> : null}
      {data && data.data.length > 0 ? <EndpointTable rows={data.data} /> : null}
      <CreateEndpoint open={isOpen} onClose={() => setOpen(false)} />
    </div>
  );
}

function EndpointTable({ rows }: { readonly rows: readonly Webhook[] }) {
  const { texts, language } = useMerchantTexts();
  const { facts, webhooks } = texts;
  return (
    <RecordTable
      caption={webhooks.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: webhooks.name,
          show: ({ id, name }) => (
            <Link to="/webhooks/$id" params={{ id }}>
              {name}
            </Link>
          ),
        },
        {
          heading: facts.status,
          show: ({ status }) => <Status tone={endpointToneOf[status]} word={webhooks.status[status]} />,
        },
        { heading: webhooks.url, show: ({ url }) => <code>{url}</code> },
        { heading: webhooks.events, align: 'right', show: ({ events }) => events.length },
        { heading: facts.created, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
      ]}
    />
  );
}
