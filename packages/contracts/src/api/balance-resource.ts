import { z } from 'zod';
import type { Balance } from '#src/ledger/result.ts';
import type { Currency } from '#src/money/currency.ts';

const bucketsSchema = z.object({
  available_cents: z.int(),
  pending_cents: z.int(),
  blocked_cents: z.int(),
  total_cents: z.int(),
});

/** Balances as contract 0.1 shows them (spec 2.3): `brl` and `usdt` are always present. */
export const balanceResourceSchema = z.object({ brl: bucketsSchema, usdt: bucketsSchema });
export type BalanceResource = z.infer<typeof balanceResourceSchema>;

export function presentBalance(balances: readonly Balance[]): BalanceResource {
  const buckets = (currency: Currency) => {
    const found = balances.find((balance) => balance.currency === currency);
    const { available = 0, pending = 0, blocked = 0 } = found ?? {};
    return {
      available_cents: available,
      pending_cents: pending,
      blocked_cents: blocked,
      total_cents: available + pending + blocked,
    };
  };
  return { brl: buckets('BRL'), usdt: buckets('USDT') };
}
