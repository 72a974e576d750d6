import type { Database } from '@gateway/persistence';
import { openingBalanceCents } from '#src/account/balance.ts';

export type EntryKind = 'payment' | 'refund' | 'payout' | 'return' | 'med_return' | 'overturn' | 'fee' | 'own_transfer';

/** A movement of an account, as its statement shows it. */
export interface Entry {
  readonly id: number;
  readonly kind: EntryKind;
  /** Minor units; negative where money left the account. */
  readonly amount: number;
  readonly bookedAt: Date;
  readonly e2eId: string | null;
  readonly returnId: string | null;
  readonly reference: string | null;
  readonly other: string | null;
  readonly sourceId: number | null;
}

const shownAt = 'coalesce(shown_at, booked_at)';

const entryColumns = `id, kind, coalesce(shown_amount, amount) as amount, ${shownAt} as "bookedAt",
  e2e_id as "e2eId", return_id as "returnId", reference, payer_or_payee as other, source_id as "sourceId"`;

export interface Period {
  readonly dialect: string;
  readonly from: Date;
  readonly to: Date;
  readonly now: Date;
  /** Of these alone that are no payments received. */
  readonly isWithoutPayments?: boolean;
  /** Of a page; all where it is left out. */
  readonly skip?: number;
  readonly limit?: number;
}

export interface StatementEntry extends Entry {
  /** 0, and 1 for the second time that it is shown. */
  readonly copy: number;
  /** What the period has moved up to this entry and with it, in minor units. */
  readonly moved: number;
}

/** The statement of a period, oldest first: without what it hides, and twice what it doubles. */
export async function statementOf(
  database: Database,
  { dialect, from, to, now, isWithoutPayments = false, skip = 0, limit }: Period,
): Promise<StatementEntry[]> {
  return await database.query<StatementEntry>(
    `select ${entryColumns}, copy,
        sum(coalesce(shown_amount, amount)) over (order by ${shownAt}, id, copy)::bigint as moved
       from account_entry cross join generate_series(0, shown_times - 1) as copy
      where dialect = $1 and ${shownAt} >= $2 and ${shownAt} <= $3
        and (hidden_until is null or hidden_until <= $4)${isWithoutPayments ? ` and kind <> 'payment'` : ''}
      order by ${shownAt}, id, copy offset $5 limit $6`,
    [dialect, from, to, now, skip, limit ?? null],
  );
}

/** What stood on the account before a moment. */
export async function balanceBefore(database: Database, dialect: string, at: Date): Promise<number> {
  const [row] = await database.query<{ moved: number }>(
    `select coalesce(sum(amount), 0)::bigint as moved from account_entry where dialect = $1 and ${shownAt} < $2`,
    [dialect, at],
  );
  return openingBalanceCents + (row?.moved ?? 0);
}

export async function findEntry(database: Database, dialect: string, id: number): Promise<Entry | undefined> {
  const [entry] = await database.query<Entry>(
    `select ${entryColumns} from account_entry where dialect = $1 and id = $2`,
    [dialect, id],
  );
  return entry;
}
