import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { listRequests } from '#src/generated/merchants/sdk.gen.ts';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { contract } from '#src/merchants/contract.ts';
import { rowsMax } from '#src/merchants/list-filters.tsx';
import { countedByCode } from '#src/merchants/requests/describe-request.ts';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const daySec = 86_400;

/** What the keys of the account were refused in the last day, by code, and the way to each and to all requests. */
export function RefusedLately() {
  const { texts } = useMerchantTexts();
  const { requests } = texts;
  const { may } = useWorkplace();
  const [since] = useState(() => Math.floor(Date.now() / 1_000) - daySec);
  const { data, error, refetch } = useQuery({
    queryKey: ['refused-lately', since],
    queryFn: ({ signal }) => {
      const query = { status: '4xx', from: since, limit: rowsMax };
      return bodyOf(listRequests({ query, headers: contract, signal }));
    },
    enabled: may('webhooks:read'),
  });
  if (!may('webhooks:read')) return null;
  const counts = countedByCode(data?.data ?? []);
  return (
    <section className={styles['section']}>
      <h2>{requests.refused}</h2>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton lines={2} />}
      {data && counts.length === 0 ? <Empty>{requests.noneRefused}</Empty> : null}
      {counts.length === 0 ? null : <Counts counts={counts} isCut={data?.next_cursor !== null} />}
      <p className={styles['links']}>
        <Link to="/requests">{requests.all}</Link>
        <Link to="/events">{texts.events.title}</Link>
      </p>
    </section>
  );
}

interface CountsProps {
  readonly counts: ReturnType<typeof countedByCode>;
  /** Whether there are more of them than were counted. */
  readonly isCut: boolean;
}

function Counts({ counts, isCut }: CountsProps) {
  const { texts, language } = useMerchantTexts();
  const { requests } = texts;
  return (
    <>
      <RecordTable
        caption={requests.refused}
        rows={counts}
        keyOf={({ code }) => code}
        columns={[
          {
            heading: requests.code,
            show: ({ code }) => (
              <Link to="/requests" search={{ code }}>
                <code>{code}</code>
              </Link>
            ),
          },
          { heading: requests.times, align: 'right', show: ({ count }) => count },
          {
            heading: requests.last,
            show: ({ latest }) => (
              <Link to="/requests/$id" params={{ id: latest.id }}>
                {formatTime(fromUnix(latest.created_at), language)}
              </Link>
            ),
          },
        ]}
      />
      {isCut ? <p>{requests.cut(rowsMax)}</p> : null}
    </>
  );
}
