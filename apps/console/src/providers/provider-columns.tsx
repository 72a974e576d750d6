import { Link } from '@tanstack/react-router';
import type { Provider, ProviderBalance } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { differenceOf } from '#src/providers/describe-provider.ts';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import styles from '#src/records/record-page.module.css';
import type { Column } from '#src/records/record-table.tsx';
import type { OperatorTexts } from '#src/texts/operators-en.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatAge, fromUnix } from '#src/texts/time.ts';

interface ProviderColumns {
  readonly first: readonly [Column<Provider>, ...Column<Provider>[]];
  readonly last: readonly Column<Provider>[];
}

/** What every table of providers shows: which it is and how it answers, and last what it holds beside the books. */
export function providerColumns({ providers }: OperatorTexts): ProviderColumns {
  return {
    first: [
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
      { heading: providers.weight, align: 'right', inCards: 'left out', show: ({ weight }) => weight },
    ],
    last: [{ heading: providers.difference, show: ({ balances }) => <Difference balances={balances} /> }],
  };
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
