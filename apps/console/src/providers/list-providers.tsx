import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { listProviders } from '#src/generated/sdk.gen.ts';
import type { Provider, ProviderBalance } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { certificateOf, differenceOf, providersKey } from '#src/providers/describe-provider.ts';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { ListHead } from '#src/records/list-head.tsx';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { backgroundHeaders, bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatAge, formatDay, fromUnix } from '#src/texts/time.ts';

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
  return (
    <RecordTable
      caption={providers.title}
      rows={rows}
      keyOf={({ id, environment }) => `${environment}/${id}`}
      columns={[
        {
          heading: providers.one,
          show: ({ id, environment }) => (
            <>
              <Link to="/providers/$environment/$id" params={{ environment, id }}>
                {id}
              </Link>{' '}
              <EnvironmentBadge environment={environment} />
            </>
          ),
        },
        {
          heading: providers.switch,
          show: ({ enabled }) => (
            <Status tone={enabled ? 'good' : 'neutral'} word={enabled ? providers.on : providers.off} />
          ),
        },
        {
          heading: providers.health,
          show: ({ healthy }) => (
            <Status tone={healthy ? 'good' : 'bad'} word={healthy ? providers.healthy : providers.unhealthy} />
          ),
        },
        { heading: providers.weight, align: 'right', show: ({ weight }) => weight },
        {
          heading: providers.rails,
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
        { heading: providers.difference, show: ({ balances }) => <Difference balances={balances} /> },
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

/** Nothing is explained by silence: what could not be compared is named too. */
export function Difference({ balances }: { readonly balances: readonly ProviderBalance[] }) {
  const { texts, language } = useOperatorTexts();
  const { providers } = texts;
  if (balances.length === 0) return '–';
  if (balances.every((balance) => differenceOf(balance) === 0)) return <Status tone="good" word={providers.none} />;
  const parts = balances.map((balance) => {
    const { currency, problem, differs_since: since } = balance;
    const difference = differenceOf(balance);
    if (difference === undefined) return <Status key={currency} tone="wait" word={providers.problem(problem ?? '–')} />;
    if (difference === 0) return <Status key={currency} tone="good" word={providers.none} />;
    const age = since === null ? '' : providers.since(formatAge(fromUnix(since), new Date(), language));
    return (
      <span key={currency}>
        <Money amount={difference} currency={currency} /> <Status tone="bad" word={age || providers.difference} />
      </span>
    );
  });
  return <span className={styles['stack']}>{parts}</span>;
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
