import type { Currency } from '@gateway/money';
import type {
  DisputeReference,
  PayoutReference,
  Reference,
  ReferenceKind,
  RefundReference,
} from '#src/posting/reference.ts';

/** A row of `reference`. */
export interface ReferenceRow {
  readonly id: string;
  readonly kind: ReferenceKind;
  readonly account_id: string;
  readonly currency: Currency;
  readonly amount: number;
  readonly fee: number;
  readonly state: string | null;
  readonly held: number;
  readonly used: number;
  readonly shortfall: number;
  readonly due_at: number | null;
  readonly deposit_id: string | null;
  readonly provider: string | null;
}

export function toReferenceRow(reference: Reference): ReferenceRow {
  const { kind, id, accountId, currency, amount } = reference;
  const unused = {
    fee: 0,
    state: null,
    held: 0,
    used: 0,
    shortfall: 0,
    due_at: null,
    deposit_id: null,
    provider: null,
  };
  const row: Writable<ReferenceRow> = { id, kind, account_id: accountId, currency, amount, ...unused };
  switch (reference.kind) {
    case 'deposit':
      row.held = reference.pending;
      row.used = reference.committed;
      row.due_at = reference.releaseAt;
      return row;
    case 'payout':
      row.fee = reference.fee;
      row.state = reference.state;
      row.used = reference.returned;
      row.shortfall = reference.shortfall;
      return row;
    case 'refund':
      row.state = reference.state;
      row.deposit_id = reference.depositId;
      row.shortfall = reference.shortfall;
      return row;
    case 'dispute':
      row.state = reference.state;
      row.held = reference.blocked;
      row.used = reference.returned;
      row.shortfall = reference.shortfall;
      row.due_at = reference.captureUntil;
      row.deposit_id = reference.depositId;
      row.provider = reference.provider;
      return row;
  }
}

type Writable<Row> = { -readonly [Member in keyof Row]: Row[Member] };

export function fromReferenceRow(row: ReferenceRow): Reference {
  const common = { id: row.id, accountId: row.account_id, currency: row.currency, amount: row.amount };
  switch (row.kind) {
    case 'deposit':
      return { ...common, kind: 'deposit', pending: row.held, releaseAt: row.due_at, committed: row.used };
    case 'payout':
      return {
        ...common,
        kind: 'payout',
        fee: row.fee,
        state: row.state as PayoutReference['state'],
        returned: row.used,
        shortfall: row.shortfall,
      };
    case 'refund':
      return {
        ...common,
        kind: 'refund',
        depositId: present(row, row.deposit_id),
        state: row.state as RefundReference['state'],
        shortfall: row.shortfall,
      };
    case 'dispute':
      return {
        ...common,
        kind: 'dispute',
        depositId: present(row, row.deposit_id),
        state: row.state as DisputeReference['state'],
        blocked: row.held,
        shortfall: row.shortfall,
        captureUntil: present(row, row.due_at),
        returned: row.used,
        provider: row.provider,
      };
  }
}

function present<T>(row: ReferenceRow, value: T | null): T {
  if (value === null) throw new Error(`reference ${row.id} lacks a member of a ${row.kind}`);
  return value;
}
