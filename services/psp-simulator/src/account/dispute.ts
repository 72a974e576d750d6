import type { Database } from '@gateway/persistence';

export type DisputeStatus = 'OPEN' | 'UNDER_ANALYSIS' | 'ACCEPTED' | 'REJECTED' | 'CANCELED';

/** A payer's claim (MED) against a payment. ACCEPTED: the payer was right. */
export interface Dispute {
  readonly id: string;
  readonly dialect: string;
  readonly paymentId: number;
  readonly e2eId: string;
  readonly amount: number;
  readonly status: DisputeStatus;
  readonly reason: string;
  readonly defence: string | null;
  readonly documents: readonly { url: string; correlationID?: string; description?: string }[];
  readonly openedAt: Date;
  readonly dueAt: Date;
  readonly changedAt: Date;
}

/** `from dispute d join received_payment p on p.id = d.payment_id`. */
export const disputeColumns = `d.id, d.dialect, d.payment_id as "paymentId", p.e2e_id as "e2eId", d.amount, d.status, d.reason,
  d.defence, d.documents, d.opened_at as "openedAt", d.due_at as "dueAt", d.changed_at as "changedAt"`;
export const disputeTables = 'dispute d join received_payment p on p.id = d.payment_id';

/** By what a list of disputes selects: providers do not document it, so it can be set (`POST /control/disputes`). */
export type ListedBy = 'change' | 'creation';

const settingName = 'disputes_listed_by';

const columns = { change: 'd.changed_at', creation: 'd.opened_at' } as const satisfies Record<ListedBy, string>;

/** The column lists of disputes select and sort by. */
export async function listedByColumn(database: Database): Promise<string> {
  const [row] = await database.query<{ value: string }>('select value from setting where name = $1', [settingName]);
  return row?.value === 'creation' ? columns.creation : columns.change;
}

export async function setListedBy(database: Database, listedBy: ListedBy): Promise<void> {
  await database.query(
    'insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
    [settingName, listedBy],
  );
}
