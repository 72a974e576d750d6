import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { readKeyUsage } from '#src/merchants/developers/keys.ts';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { shortId } from '#src/records/short-id.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

/** What the keys of the account called in the last day, by contract, and how far that is from their rate. */
export function KeyUsageLately() {
  const { texts, language } = useMerchantTexts();
  const { developers, facts, webhooks } = texts;
  const { usage: words } = developers;
  const { data, error, refetch } = useQuery({
    queryKey: ['key-usage'],
    queryFn: ({ signal }) => readKeyUsage(signal),
  });
  const count = new Intl.NumberFormat(language);
  return (
    <section className={styles['section']}>
      <h2>{words.title}</h2>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton lines={2} />}
      {data?.data.length === 0 ? <Empty>{words.none}</Empty> : null}
      {data && data.data.length > 0 ? (
        <RecordTable
          caption={words.title}
          rows={data.data}
          keyOf={({ public_key: key, api_version: version }) => `${key} ${version}`}
          columns={[
            {
              heading: facts.key,
              show: ({ public_key: id }) => (
                <Link to="/developers/$id" params={{ id }}>
                  <code title={id}>{shortId(id)}</code>
                </Link>
              ),
            },
            { heading: webhooks.contract, show: ({ api_version: version }) => (version === '' ? '–' : version) },
            { heading: words.calls, align: 'right', show: ({ calls }) => count.format(calls) },
            { heading: words.limited, align: 'right', show: ({ limited }) => count.format(limited) },
          ]}
        />
      ) : null}
      {data ? <p>{words.rate(count.format(data.rate_limit.per_second), count.format(data.rate_limit.burst))}</p> : null}
    </section>
  );
}
