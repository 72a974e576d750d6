import { RowArrays, type Tx } from '@gateway/persistence';
import type { StoredLine } from '#src/matching/items.ts';
import { statementZone } from '#src/matching/kinds.ts';

type Booked = Pick<StoredLine, 'provider' | 'currency' | 'amount' | 'bookedAt' | 'day' | 'batchKey'>;

interface Changes {
  readonly before: readonly Booked[];
  readonly after: readonly { readonly stored: Booked }[];
}

const bookedArrays = new RowArrays<'provider' | 'currency' | 'amount' | 'bookedAt' | 'day'>([
  ['provider', 'text'],
  ['currency', 'text'],
  ['amount', 'bigint'],
  ['bookedAt', 'timestamptz'],
  ['day', 'text'],
]);

/**
 * Adds lines that came, and takes away what they were before, to the sums of their days. The parts of a line that settles
 * many are not counted: the provider has booked that line.
 */
export async function countDays(tx: Tx, { before, after }: Changes): Promise<void> {
  const changes = [
    ...before.map((line) => ({ ...line, amount: -line.amount })),
    ...after.map(({ stored }) => stored),
  ].filter(({ batchKey }) => batchKey === null);
  if (changes.length === 0) return;
  await tx.sql(
    `insert into line_day (provider, currency, day, amount)
     select provider, currency, coalesce(day::date, ("bookedAt" at time zone '${statementZone}')::date), sum(amount)
     from ${bookedArrays.from(1, 'item')} group by 1, 2, 3 order by 1, 2, 3
     on conflict (provider, currency, day) do update set amount = line_day.amount + excluded.amount`,
    bookedArrays.parametersOf(changes.map((line) => ({ ...line, day: line.day ?? null }))),
  );
}
