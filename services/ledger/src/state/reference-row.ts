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

const unused = { fee: 0, state: null, held: 0, used: 0, shortfall: 0, due_at: null, deposit_id: null, provider: null };

export function toReferenceRow(reference: Reference): ReferenceRow {
  const { kind, id, accountId, currency, amount } = reference;
  const row = { ...unused, kind, id, account_id: accountId, currency, amount };
  switch (reference.kind) {
    case 'deposit':
      return { ...row, held: reference.pending, used: reference.committed, due_at: reference.releaseAt };
    case 'payout':
      return {
        ...row,
        fee: reference.fee,
        state: reference.state,
        used: reference.returned,
        shortfall: reference.shortfall,
      };
    case 'refund':
      return { ...row, state: reference.state, deposit_id: reference.depositId, shortfall: reference.shortfall };
    case 'dispute':
      return {
        ...row,
        state: reference.state,
        held: reference.blocked,
        used: reference.returned,
        shortfall: reference.shortfall,
        due_at: reference.captureUntil,
        deposit_id: reference.depositId,
        provider: reference.provider,
      };
  }
}

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
