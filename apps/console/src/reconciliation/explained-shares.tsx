import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { getExplained } from '#src/generated/sdk.gen.ts';
import type { ExplainedShare, UnexplainedSum } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { isKept, sumsOf } from '#src/reconciliation/describe-shares.ts';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { Failed } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatAge } from '#src/texts/time.ts';

/** How much of the last day is explained within five minutes, by account, and what is not explained, by side and age. */
export function ExplainedShares() {
  const { texts } = useOperatorTexts();
  const { explained } = texts.books;
  const { data, error, refetch } = useQuery({
    queryKey: ['explained'],
    queryFn: ({ signal }) => bodyOf(getExplained({ signal })),
  });
  const shares = data?.data ?? [];
  const sums = sumsOf(shares);
  if (!error && shares.length === 0) return null;
  return (
    <section className={styles['section']}>
      <h2>{explained.title}</h2>
      {error ? <Failed error={error} retry={() => void refetch()} /> : <Shares rows={shares} />}
      {sums.length === 0 ? null : (
        <>
          <h3>{explained.unexplained}</h3>
          <Sums rows={sums} />
        </>
      )}
    </section>
  );
}

function Shares({ rows }: { readonly rows: readonly ExplainedShare[] }) {
  const { texts, language } = useOperatorTexts();
  const { explained } = texts.books;
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 4 });
  const number = new Intl.NumberFormat(language);
  const figures = ['matches', 'late', 'open', 'resolved', 'late_lines'] as const;
  return (
    <RecordTable
      caption={explained.caption}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: texts.facts.provider,
          show: ({ provider, currency, environment }) => (
            <>
              {provider} {currency} <EnvironmentBadge environment={environment} />
            </>
          ),
        },
        {
          heading: explained.share,
          show: ({ share_ppm: share }) =>
            share === null ? (
              '–'
            ) : (
              <Status tone={isKept(share) ? 'good' : 'bad'} word={percent.format(share / 1_000_000)} />
            ),
        },
        ...figures.map((name) => ({
          heading: explained[name],
          align: 'right' as const,
          ...(name === 'resolved' || name === 'late_lines' ? { inCards: 'folded' as const } : {}),
          show: (row: ExplainedShare) => number.format(row[name]),
        })),
      ]}
    />
  );
}

type AccountSum = UnexplainedSum & Pick<ExplainedShare, 'provider' | 'currency' | 'environment'>;

function Sums({ rows }: { readonly rows: readonly AccountSum[] }) {
  const { texts, language } = useOperatorTexts();
  const { books, facts, exceptions, stuck, records } = texts;
  const { explained } = books;
  return (
    <RecordTable
      caption={explained.unexplained}
      rows={rows}
      keyOf={({ environment, provider, currency, side, age }) =>
        `${environment} ${provider} ${currency} ${side} ${age}`
      }
      columns={[
        {
          heading: facts.provider,
          show: ({ provider, currency, environment }) => (
            <>
              <Link to="/exceptions" search={{ provider, status: 'OPEN' }}>
                {provider} {currency}
              </Link>{' '}
              <EnvironmentBadge environment={environment} />
            </>
          ),
        },
        { heading: explained.side, show: ({ side }) => exceptions.side[side] },
        { heading: explained.age, show: ({ age }) => explained.ages[age] },
        { heading: explained.plus, align: 'right', show: (row) => sumOf(row, row.plus_cents) },
        { heading: explained.minus, align: 'right', show: (row) => sumOf(row, row.minus_cents) },
        {
          heading: stuck.since,
          show: ({ oldest_at: at }) => records.age(formatAge(new Date(at), new Date(), language)),
        },
      ]}
    />
  );
}

function sumOf({ currency }: AccountSum, amount: number) {
  return amount === 0 ? '–' : <Money amount={amount} currency={currency} />;
}
