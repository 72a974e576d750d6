import { useQuery } from '@tanstack/react-query';
import { listProviders } from '#src/generated/sdk.gen.ts';
import type { Provider, ProviderBalance } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { certificateOf, providersKey } from '#src/providers/describe-provider.ts';
import { providerColumns } from '#src/providers/provider-columns.tsx';
import { ListHead } from '#src/records/list-head.tsx';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { backgroundHeaders, bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatDay } from '#src/texts/time.ts';

const refetchMs = 15_000;

/** Every provider: whether it is asked, how it answers, and what it holds beside the books. */
export function ListProviders() {
  const { texts } = useOperatorTexts();
  const { providers } = texts;
  const { data, error, refetch } = useQuery({
    queryKey: providersKey,
    queryFn: ({ signal, client }) => {
      const headers = backgroundHeaders(client.getQueryData(providersKey) !== undefined);
      return bodyOf(listProviders({ signal, headers }));
    },
    refetchInterval: refetchMs,
  });
  return (
    <>
      <ListHead title={providers.title}>{null}</ListHead>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton lines={6} />}
      {data?.data.length === 0 ? <Empty>{providers.empty}</Empty> : null}
      {data && data.data.length > 0 ? <ProviderTable rows={data.data} /> : null}
    </>
  );
}

function ProviderTable({ rows }: { readonly rows: readonly Provider[] }) {
  const { texts } = useOperatorTexts();
  const { providers } = texts;
  const { first, last } = providerColumns(texts);
  return (
    <RecordTable
      caption={providers.title}
      rows={rows}
      keyOf={({ id, environment }) => `${environment}/${id}`}
      columns={[
        ...first,
        {
          heading: providers.rails,
          inCards: 'left out',
          show: ({ payment_methods: rails, kind }) => (kind === 'exchange' ? providers.exchange : rails.join(', ')),
        },
        {
          heading: providers.held,
          align: 'right',
          show: ({ balances }) => <Held balances={balances} />,
        },
        {
          heading: providers.certificate.ends,
          show: (provider) => <CertificateOf provider={provider} now={new Date()} />,
        },
        ...last,
      ]}
    />
  );
}

function Held({ balances }: { readonly balances: readonly ProviderBalance[] }) {
  const known = balances.flatMap(({ currency, held_cents: held }) => (held === null ? [] : [{ currency, held }]));
  if (known.length === 0) return '–';
  return (
    <span className={styles['stack']}>
      {known.map(({ currency, held }) => (
        <Money key={currency} amount={held} currency={currency} />
      ))}
    </span>
  );
}

/** Until when our certificate for it is in force: amber in its last month, red in its last week. */
export function CertificateOf({ provider, now }: { readonly provider: Provider; readonly now: Date }) {
  const { texts, language } = useOperatorTexts();
  const { certificate: words } = texts.providers;
  const certificate = certificateOf(provider, now);
  if (!certificate) return '–';
  const { day, daysLeft, tone } = certificate;
  const left = daysLeft < 0 ? words.ended : words.left(daysLeft);
  return (
    <span>
      {formatDay(day, language)} <Status tone={tone} word={left} />
    </span>
  );
}
