import type { Database } from '@gateway/persistence';
import type { DialectName } from '#src/account/charge.ts';

/** What an account begins with, so that payouts can be tried before anything was received. */
export const openingBalanceCents = 100_000_000_000;

export interface Balance {
  /** Cents that can be spent. */
  readonly available: number;
  /** Cents under dispute. */
  readonly blocked: number;
}

export async function balanceOf(database: Database, dialect: DialectName): Promise<Balance> {
  const [row] = await database.query<{ moved: number; blocked: number }>(
    `select
       (select coalesce(sum(amount), 0)::bigint from received_payment where dialect = $1)
       - (select coalesce(sum(r.amount), 0)::bigint from refund r join received_payment p on p.id = r.payment_id
           where p.dialect = $1 and r.status <> 'FAILED')
       - (select coalesce(sum(amount), 0)::bigint from transfer where dialect = $1 and status in ('PROCESSING', 'PAID'))
       + (select coalesce(sum(b.amount), 0)::bigint from transfer_return b join transfer t on t.id = b.transfer_id
           where t.dialect = $1)
       + (select coalesce(sum(amount), 0)::bigint from account_entry
           where dialect = $1 and kind in ('fee', 'own_transfer')) as moved,
       (select coalesce(sum(amount), 0)::bigint from dispute where dialect = $1 and status in ('OPEN', 'UNDER_ANALYSIS'))
         as blocked`,
    [dialect],
  );
  const { moved = 0, blocked = 0 } = row ?? {};
  return { available: openingBalanceCents + moved - blocked, blocked };
}
