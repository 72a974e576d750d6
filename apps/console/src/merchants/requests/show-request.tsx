import { Link } from '@tanstack/react-router';
import { getRequest } from '#src/generated/merchants/sdk.gen.ts';
import type { LoggedRequestDetail } from '#src/generated/merchants/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { contract } from '#src/merchants/contract.ts';
import { faultsIn, messageIn } from '#src/merchants/requests/describe-request.ts';
import { WebhookHeading } from '#src/merchants/webhooks/webhook-heading.tsx';
import { Block } from '#src/records/block.tsx';
import { Facts } from '#src/records/facts.tsx';
import { toneOf, wordOf } from '#src/records/logged-requests.ts';
import { Empty, Notice } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { shortId } from '#src/records/short-id.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const indentation = 2;

/** One request of a key: why it was refused, member by member, and both bodies. */
export function ShowRequest({ id }: { readonly id: string }) {
  const { texts } = useMerchantTexts();
  const { requests } = texts;
  return (
    <ShowRecord
      queryKey={['request', id]}
      read={(signal, headers) => bodyOf(getRequest({ path: { id }, headers: { ...contract, ...headers }, signal }))}
      heading={(request) => (
        <WebhookHeading
          kind={requests.one}
          name={`${request.method} ${request.path}`}
          id={request.request_id}
          state={<Status tone={toneOf(request)} word={wordOf(request)} />}
          environment={request.environment}
        />
      )}
    >
      {(request) => (
        <>
          <Why request={request} />
          <RequestFacts request={request} />
          <Body name={requests.sent} body={request.request} />
          <Body name={requests.answered} body={request.response} />
        </>
      )}
    </ShowRecord>
  );
}

function Why({ request: { response } }: { readonly request: LoggedRequestDetail }) {
  const { texts } = useMerchantTexts();
  const { requests } = texts;
  const message = messageIn(response);
  const faults = faultsIn(response);
  return (
    <>
      {message === undefined ? null : <Notice>{message}</Notice>}
      {faults.length === 0 ? null : (
        <section className={styles['section']}>
          <h2>{requests.faults}</h2>
          <RecordTable
            caption={requests.faults}
            rows={faults}
            keyOf={({ path, message: what }) => `${path} ${what}`}
            columns={[
              { heading: requests.member, show: ({ path }) => <code>{path}</code> },
              { heading: requests.fault, show: ({ message: what }) => what },
            ]}
          />
        </section>
      )}
    </>
  );
}

function RequestFacts({ request }: { readonly request: LoggedRequestDetail }) {
  const { texts, language } = useMerchantTexts();
  const { facts, requests, webhooks } = texts;
  const { may } = useWorkplace();
  const { key, query } = request;
  const shown = <code title={key}>{shortId(key)}</code>;
  return (
    <Facts
      facts={[
        [
          facts.key,
          may('keys:read') ? (
            <Link key="key" to="/developers/$id" params={{ id: key }}>
              {shown}
            </Link>
          ) : (
            shown
          ),
        ],
        [requests.query, query === null ? null : <code key="query">{JSON.stringify(query)}</code>],
        [webhooks.contract, request.api_version],
        [requests.took, `${Math.round(request.latency_ms)} ms`],
        [requests.from, request.address],
        [requests.program, request.user_agent],
        [requests.at, formatTime(fromUnix(request.created_at), language)],
      ]}
    />
  );
}

function Body({ name, body }: { readonly name: string; readonly body: unknown }) {
  const { texts } = useMerchantTexts();
  return (
    <section className={styles['section']}>
      <h2>{name}</h2>
      {body === null || body === undefined ? (
        <Empty>{texts.requests.noBody}</Empty>
      ) : (
        <Block label={name}>{typeof body === 'string' ? body : JSON.stringify(body, null, indentation)}</Block>
      )}
    </section>
  );
}
