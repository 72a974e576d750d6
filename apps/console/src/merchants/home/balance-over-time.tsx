import { useQuery } from '@tanstack/react-query';
import { getBalance } from '#src/generated/merchants/sdk.gen.ts';
import type { Balance, Currency } from '#src/generated/merchants/types.gen.ts';
import { Plot } from '#src/look/chart/plot.tsx';
import { useRefresh } from '#src/live/live.tsx';
import { contract } from '#src/merchants/contract.ts';
import { currencyOf, movingEvents } from '#src/merchants/home/currencies.ts';
import { formatMoney } from '#src/money/format-money.ts';
import { Money } from '#src/money/money.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { backgroundHeaders, bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { fromUnix } from '#src/texts/time.ts';
import { formatSlot, momentsOf, type Period } from '#src/volumes/totals.ts';
import { AsTable, VolumeFrame } from '#src/volumes/volume-frame.tsx';
import styles from '#src/volumes/volumes.module.css';

/** A point a minute at most is new. */
const freshMs = 60_000;

/** What was available over the period, in each currency that the account has: every figure is the ledger's. */
export function BalanceOverTime({ period }: { readonly period: Period }) {
  const { texts } = useMerchantTexts();
  const { charts } = texts;
  const queryKey = ['balance-over-time', period];
  const { data, error, refetch } = useQuery({
    queryKey,
    staleTime: freshMs,
    queryFn: async ({ signal, client }) => {
      const headers = { ...contract, ...backgroundHeaders(client.getQueryData(queryKey) !== undefined) };
      const read = (at: number) => bodyOf(getBalance({ query: { at: String(at) }, headers, signal }));
      const points: { readonly at: number; readonly balance: Balance }[] = [];
      // One after the other: what the page is about is read beside them.
      for (const at of momentsOf(period, new Date())) points.push({ at, balance: await read(at) });
      return points;
    },
  });
  useRefresh(movingEvents, () => void refetch(), freshMs);
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  const currencies = Object.entries(currencyOf) as [keyof Balance, Currency][];
  return currencies.map(([member, currency]) => {
    const points = (data ?? []).map(({ at, balance }) => ({ at, amount: balance[member]?.available ?? null }));
    if (points.every(({ amount }) => amount === null)) return null;
    return <OneBalance key={currency} name={`${charts.balance}, ${currency}`} {...{ currency, period, points }} />;
  });
}

interface OneBalanceProps {
  readonly name: string;
  readonly currency: Currency;
  readonly period: Period;
  readonly points: readonly { readonly at: number; readonly amount: number | null }[];
}

function OneBalance({ name, currency, period, points }: OneBalanceProps) {
  const { texts, language } = useMerchantTexts();
  const { charts } = texts;
  const write = (amount: number | null) =>
    amount === null ? '–' : formatMoney(Math.round(amount), currency, language);
  const when = (at: number) => formatSlot(fromUnix(at), period, language);
  return (
    <VolumeFrame name={name}>
      <Money amount={points.at(-1)?.amount ?? 0} currency={currency} size="total" />
      <p className={styles['ended']}>{charts.lastBalance}</p>
      <Plot
        name={name}
        form="line"
        points={points.map(({ at, amount }) => ({ at: when(at), value: amount, words: write(amount) }))}
        write={write}
      />
      <AsTable>
        <RecordTable
          caption={name}
          rows={points}
          keyOf={({ at }) => String(at)}
          columns={[
            { heading: charts.at, show: ({ at }) => when(at) },
            { heading: charts.measure.amount, align: 'right', show: ({ amount }) => write(amount) },
          ]}
        />
      </AsTable>
    </VolumeFrame>
  );
}
