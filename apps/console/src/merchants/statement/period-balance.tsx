import { useQuery } from '@tanstack/react-query';
import { getBalance } from '#src/generated/merchants/sdk.gen.ts';
import type { Balance } from '#src/generated/merchants/types.gen.ts';
import type { StatementQuery } from '#src/merchants/addresses.ts';
import { contract } from '#src/merchants/contract.ts';
import { currencyOf } from '#src/merchants/home/currencies.ts';
import { ownZone } from '#src/merchants/list-filters.tsx';
import { Money } from '#src/money/money.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatDay } from '#src/texts/time.ts';
import styles from './statement.module.css';

/** What was available at the end of the period, as the ledger answers. */
export function PeriodBalance({ query: { to, currency } }: { readonly query: StatementQuery }) {
  const { texts, language } = useMerchantTexts();
  const { statement } = texts;
  const asked = { zone: ownZone(), ...(to === undefined ? {} : { at: to }), ...(currency ? { currency } : {}) };
  const { data, error, refetch } = useQuery({
    queryKey: ['balance-at', to, currency],
    queryFn: ({ signal }) => bodyOf(getBalance({ query: asked, headers: contract, signal })),
  });
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  const members = Object.entries(data ?? {}) as [keyof Balance, NonNullable<Balance[keyof Balance]>][];
  if (members.length === 0) return null;
  return (
    <dl className={styles['balances']}>
      {members.map(([member, { available }]) => (
        <div key={member}>
          <dt>{to === undefined ? statement.availableNow : statement.availableAt(formatDay(to, language))}</dt>
          <dd>
            <Money amount={available} currency={currencyOf[member]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
