import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { getBalance } from '#src/generated/merchants/sdk.gen.ts';
import type { Balance, BalanceAmounts, Currency } from '#src/generated/merchants/types.gen.ts';
import { useRefresh } from '#src/live/live.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { contract } from '#src/merchants/contract.ts';
import { currencyOf, movingEvents } from '#src/merchants/home/currencies.ts';
import { Money } from '#src/money/money.tsx';
import { Failed, Skeleton } from '#src/records/page-states.tsx';
import { backgroundHeaders, bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatClock } from '#src/texts/time.ts';
import styles from './home.module.css';

const refetchMs = 15_000;
const queryKey = ['balance'] as const;

/** What can be spent, what comes free later and what disputes hold, in each currency that the account has. */
export function Balances() {
  const { texts, language } = useMerchantTexts();
  const { may } = useWorkplace();
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey,
    queryFn: ({ signal, client }) => {
      const headers = { ...contract, ...backgroundHeaders(client.getQueryData(queryKey) !== undefined) };
      return bodyOf(getBalance({ headers, signal }));
    },
    refetchInterval: refetchMs,
  });
  useRefresh(movingEvents, () => void refetch());
  const rows = Object.entries(currencyOf).flatMap(([member, currency]) => {
    const amounts = data?.[member as keyof Balance];
    return amounts ? [{ currency, amounts }] : [];
  });
  return (
    <section className={styles['section']}>
      <header className={styles['head']}>
        <h2>{texts.home.balance}</h2>
        <div>
          {data ? <p>{texts.states.updatedAt(formatClock(new Date(dataUpdatedAt), language))}</p> : null}
          {rows.length > 0 && may('money:propose') ? <Link to="/convert">{texts.convert.open}</Link> : null}
        </div>
      </header>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton lines={2} />}
      {data && rows.length === 0 ? <p className={styles['none']}>{texts.home.noBalance}</p> : null}
      {rows.map(({ currency, amounts }) => (
        <Amounts key={currency} currency={currency} amounts={amounts} />
      ))}
    </section>
  );
}

interface AmountsProps {
  readonly currency: Currency;
  readonly amounts: BalanceAmounts;
}

function Amounts({ currency, amounts: { available, pending, blocked, total } }: AmountsProps) {
  const { texts } = useMerchantTexts();
  const { home } = texts;
  const others = [
    [home.pending, pending],
    [home.blocked, blocked],
    [home.total, total],
  ] as const;
  return (
    <dl className={styles['amounts']} aria-label={currency}>
      <div>
        <dt>{home.available}</dt>
        <dd>
          <Money amount={available} currency={currency} size="total" />
        </dd>
      </div>
      {others.map(([name, amount]) =>
        amount === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Money amount={amount} currency={currency} />
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}
