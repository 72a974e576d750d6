import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getAccountBalance, getAccountPendingBalance } from '#src/generated/sdk.gen.ts';
import type { Currency, Environment } from '#src/generated/types.gen.ts';
import { Money } from '#src/money/money.tsx';
import { EnvironmentChoice } from '#src/records/environment-choice.tsx';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatDay } from '#src/texts/time.ts';
import frameStyles from './account-balances.module.css';

const currencies = { brl: 'BRL', mxn: 'MXN', usdt: 'USDT' } as const satisfies Record<string, Currency>;
const kinds = ['available', 'pending', 'blocked', 'total'] as const;

/** What the account has in each currency, and when what is pending comes free. */
export function AccountBalances({ accountId }: { readonly accountId: string }) {
  const { texts } = useOperatorTexts();
  const { accounts } = texts;
  const [environment, choose] = useState<Environment>('live');
  const asked = { path: { id: accountId }, query: { environment } };
  const { data, error, refetch } = useQuery({
    queryKey: ['account', accountId, 'balance', environment],
    queryFn: ({ signal }) => bodyOf(getAccountBalance({ ...asked, signal })),
  });
  const rows = Object.entries(currencies).flatMap(([member, currency]) => {
    const amounts = data?.[member as keyof typeof currencies];
    return amounts ? [{ currency, amounts }] : [];
  });
  return (
    <section className={styles['section']}>
      <div className={frameStyles['head']}>
        <h2>{accounts.balance}</h2>
        <EnvironmentChoice chosen={environment} choose={choose} />
      </div>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton lines={2} />}
      {data && rows.length === 0 ? <Empty>{accounts.noBalance}</Empty> : null}
      {rows.length === 0 ? null : (
        <RecordTable
          caption={accounts.balance}
          rows={rows}
          keyOf={({ currency }) => currency}
          columns={[
            { heading: accounts.adjust.currency, show: ({ currency }) => currency },
            ...kinds.map((kind) => ({
              heading: accounts.amounts[kind],
              align: 'right' as const,
              show: ({ currency, amounts }: (typeof rows)[number]) => {
                const amount = amounts[kind];
                return amount === null ? '–' : <Money amount={amount} currency={currency} />;
              },
            })),
          ]}
        />
      )}
      <Pending accountId={accountId} environment={environment} />
    </section>
  );
}

/** Left out while nothing is pending. */
function Pending({ accountId, environment }: { readonly accountId: string; readonly environment: Environment }) {
  const { texts, language } = useOperatorTexts();
  const { accounts } = texts;
  const { data } = useQuery({
    queryKey: ['account', accountId, 'pending', environment],
    queryFn: ({ signal }) =>
      bodyOf(getAccountPendingBalance({ path: { id: accountId }, query: { environment }, signal })),
  });
  if (!data || data.data.length === 0) return null;
  return (
    <>
      <h3>{accounts.pending}</h3>
      <RecordTable
        caption={accounts.pending}
        rows={data.data}
        keyOf={({ release_on: day, currency }) => `${day} ${currency}`}
        columns={[
          { heading: accounts.day, show: ({ release_on: day }) => formatDay(day, language) },
          {
            heading: accounts.amounts.pending,
            align: 'right',
            show: ({ amount_cents: amount, currency }) => <Money amount={amount} currency={currency} />,
          },
          { heading: accounts.deposits, align: 'right', show: ({ deposits }) => deposits },
        ]}
      />
    </>
  );
}
