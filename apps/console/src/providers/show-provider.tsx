import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { Changes } from '#src/changes/changes.tsx';
import { getProvider, listDeposits, listPayouts, listProviders } from '#src/generated/sdk.gen.ts';
import type { Environment, Provider, ProviderBalance } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { ChangeFunds, ChangeWeight, SwitchOff, SwitchOn } from '#src/providers/change-provider.tsx';
import { DeclareOwnTransfer } from '#src/providers/declare-own-transfer.tsx';
import { providersKey } from '#src/providers/describe-provider.ts';
import { Lasts } from '#src/providers/lasts.tsx';
import { CertificateOf } from '#src/providers/list-providers.tsx';
import { Difference } from '#src/providers/provider-columns.tsx';
import { CallsOfProvider } from '#src/providers/provider-calls.tsx';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { Facts } from '#src/records/facts.tsx';
import { Empty } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

interface OfProvider {
  readonly environment: Environment;
  readonly id: string;
}

const refetchMs = 15_000;
const countedMax = 100;

/** One provider: whether it is asked, what is under way at it, and every cent that it holds. */
export function ShowProvider({ environment, id }: OfProvider) {
  const path = { environment, id };
  return (
    <ShowRecord
      queryKey={['provider', environment, id]}
      read={(signal, headers) => bodyOf(getProvider({ path, signal, headers }))}
      refetchMs={() => refetchMs}
      heading={(provider) => <Heading provider={provider} />}
    >
      {(provider) => (
        <>
          <Actions provider={provider} />
          <Settings provider={provider} />
          {provider.kind === 'payments' ? <CallsOfProvider environment={environment} id={id} /> : null}
          {provider.kind === 'payments' ? <UnderWay environment={environment} id={id} /> : null}
          <Balances provider={provider} />
        </>
      )}
    </ShowRecord>
  );
}

function Heading({ provider: { id, environment, enabled, healthy } }: { readonly provider: Provider }) {
  const { texts } = useOperatorTexts();
  const { providers } = texts;
  return (
    <header className={styles['heading']}>
      <title>{`${id} · ${texts.product}`}</title>
      <p className={styles['kind']}>{providers.one}</p>
      <h1>{id}</h1>
      <Status tone={enabled ? 'good' : 'neutral'} word={enabled ? providers.on : providers.off} />
      {healthy ? null : <Status tone="bad" word={providers.unhealthy} />}
      <EnvironmentBadge environment={environment} />
    </header>
  );
}

function Actions({ provider }: { readonly provider: Provider }) {
  const may = useMay();
  const { data } = useQuery({ queryKey: providersKey, queryFn: ({ signal }) => bodyOf(listProviders({ signal })) });
  if (!may('operations:write')) return null;
  return (
    <Changes>
      {provider.enabled ? <SwitchOff provider={provider} all={data?.data ?? []} /> : <SwitchOn provider={provider} />}
      {provider.environment === 'test' || may('money:propose') ? <ChangeWeight provider={provider} /> : null}
      {may('money:propose') && provider.environment === 'live'
        ? provider.balances.map((balance) => (
            <Fragment key={balance.currency}>
              <ChangeFunds provider={provider} balance={balance} />
              <DeclareOwnTransfer provider={provider} currency={balance.currency} />
            </Fragment>
          ))
        : null}
    </Changes>
  );
}

/** How it answers, and what of the new charges it is given. */
function Settings({ provider }: { readonly provider: Provider }) {
  const { texts } = useOperatorTexts();
  const { providers } = texts;
  const { healthy, weight, kind, payment_methods: rails } = provider;
  return (
    <Facts
      facts={[
        [
          providers.health,
          <Status
            key="health"
            tone={healthy ? 'good' : 'bad'}
            word={healthy ? providers.healthy : providers.unhealthy}
          />,
        ],
        [providers.weight, weight],
        [providers.rails, kind === 'exchange' ? providers.exchange : rails.join(', ')],
        [
          providers.certificate.ends,
          provider.certificate_ends_at === null ? null : (
            <CertificateOf key="certificate" provider={provider} now={new Date()} />
          ),
        ],
      ]}
    />
  );
}

/** What is still looked up at it, also once it is switched off. */
function UnderWay({ environment, id }: OfProvider) {
  const { texts } = useOperatorTexts();
  const { providers } = texts;
  const { data } = useQuery({
    queryKey: ['provider', environment, id, 'under-way'],
    queryFn: async ({ signal }) => {
      const common = { environment, provider: id, limit: countedMax };
      const [payouts, charges] = await Promise.all([
        bodyOf(listPayouts({ query: { ...common, status: 'PROCESSING' }, signal })),
        bodyOf(listDeposits({ query: { ...common, status: 'PENDING' }, signal })),
      ]);
      const countOf = (page: { readonly data: readonly unknown[]; readonly next_cursor: string | null }) =>
        page.next_cursor === null ? String(page.data.length) : `${page.data.length}+`;
      return { payouts: countOf(payouts), charges: countOf(charges) };
    },
  });
  if (!data) return null;
  return (
    <section className={styles['section']}>
      <h2>{providers.underWay}</h2>
      <p className={styles['links']}>
        <Link to="/payouts" search={{ provider: id, environment, status: 'PROCESSING' }}>
          {providers.payouts(data.payouts)}
        </Link>
        <Link to="/deposits" search={{ provider: id, environment, status: 'PENDING' }}>
          {providers.charges(data.charges)}
        </Link>
        {environment === 'live' ? (
          <Link to="/exceptions" search={{ provider: id, status: 'OPEN' }}>
            {providers.lines}
          </Link>
        ) : null}
      </p>
    </section>
  );
}

function Balances({ provider }: { readonly provider: Provider }) {
  const { texts } = useOperatorTexts();
  const { providers } = texts;
  return (
    <section className={styles['section']}>
      <h2>{providers.balances}</h2>
      {provider.balances.length === 0 ? <Empty>{providers.noBalances}</Empty> : null}
      {provider.balances.map((balance) => (
        <Balance key={balance.currency} provider={provider} balance={balance} />
      ))}
    </section>
  );
}

function Balance({ provider, balance }: { readonly provider: Provider; readonly balance: ProviderBalance }) {
  const { texts, language } = useOperatorTexts();
  const { providers } = texts;
  const { currency, in_flight: inFlight } = balance;
  const money = (amount: number | null) => (amount === null ? '–' : <Money amount={amount} currency={currency} />);
  return (
    <>
      <Facts
        facts={[
          [providers.currency, currency],
          [providers.held, money(balance.held_cents)],
          [providers.lasts.label, <Lasts key="lasts" provider={provider} balance={balance} />],
          [providers.booked, money(balance.booked_cents)],
          [providers.ownFunds, money(balance.own_funds_cents)],
          [providers.difference, <Difference key="difference" balances={[balance]} />],
          [providers.compared, formatTime(fromUnix(balance.compared_at), language)],
        ]}
      />
      {inFlight.length === 0 ? null : (
        <RecordTable
          caption={providers.inFlight}
          rows={inFlight}
          keyOf={({ what }) => what}
          columns={[
            { heading: providers.inFlight, show: ({ what }) => providers.kinds[what] },
            { heading: providers.atLeast, align: 'right', show: ({ at_least_cents: least }) => money(least) },
            { heading: providers.atMost, align: 'right', show: ({ at_most_cents: most }) => money(most) },
          ]}
        />
      )}
    </>
  );
}
