import type { Environment } from '#src/generated/types.gen.ts';

/** A record that waits for an operator, of whichever kind. */
export interface Stuck {
  readonly kind: 'payout' | 'refund' | 'dispute' | 'orphan_receipt';
  readonly id: string;
  readonly account_id: string;
  readonly environment: Environment;
  readonly provider: string;
  /** In the smallest unit of the currency. */
  readonly amount_cents: number;
  readonly currency: string;
  /** ISO 8601. */
  readonly attention_at: string | null;
  readonly reason: string | null;
}

/** What has waited longest first. */
export function byAge(rows: readonly Stuck[]): Stuck[] {
  const at = ({ attention_at: since }: Stuck) => (since === null ? Infinity : Date.parse(since));
  return [...rows].sort((one, other) => at(one) - at(other) || one.id.localeCompare(other.id));
}
