import type { Database } from '@gateway/persistence';

/** What moved at the bank, record by record; amounts in minor units. */
export interface Books {
  readonly charges: readonly {
    readonly dialect: string;
    readonly reference: string;
    readonly status: string;
    readonly amount: number;
    readonly payments: readonly {
      readonly e2e_id: string;
      readonly amount: number;
      /** Sent back by us. */
      readonly refunded: number;
      /** Taken back under MED. */
      readonly taken: number;
      readonly dispute: { readonly id: string; readonly status: string; readonly amount: number } | null;
    }[];
  }[];
  readonly transfers: readonly {
    readonly dialect: string;
    readonly reference: string;
    readonly status: string;
    readonly amount: number;
    /** What came back, part by part. */
    readonly returns: readonly number[];
  }[];
}

/** The bank's own books of everything that was made at it since a moment. */
export async function booksSince(database: Database, since: Date): Promise<Books> {
  const charges = await database.query<Books['charges'][number]>(
    `select c.dialect, c.reference, c.status, c.amount, coalesce((
       select json_agg(json_build_object('e2e_id', p.e2e_id, 'amount', p.amount,
           'refunded', (select coalesce(sum(r.amount), 0) from refund r
              where r.payment_id = p.id and r.status = 'DONE' and r.nature not like 'MED%'),
           'taken', (select coalesce(sum(r.amount), 0) from refund r
              where r.payment_id = p.id and r.status = 'DONE' and r.nature like 'MED%'),
           'dispute', (select json_build_object('id', d.id, 'status', d.status, 'amount', d.amount) from dispute d
              where d.payment_id = p.id)) order by p.id)
         from received_payment p where p.charge_id = c.id), '[]') as payments
       from charge c where c.created_at >= $1 order by c.id`,
    [since],
  );
  const transfers = await database.query<Books['transfers'][number]>(
    `select t.dialect, t.reference, t.status, t.amount,
            coalesce((select json_agg(b.amount order by b.id) from transfer_return b where b.transfer_id = t.id), '[]')
              as returns
       from transfer t where t.id in (select id from transfer where requested_at >= $1 or settled_at >= $1
          union select transfer_id from transfer_return where returned_at >= $1) order by t.id`,
    [since],
  );
  return { charges, transfers };
}
