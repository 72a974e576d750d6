import { z } from 'zod';
import { totalOf, type KnownBalance } from '@gateway/contracts/ledger';
import type { Currency } from '@gateway/money';

const knownSchema = z.int().nullable().describe('null with `at`: only the available balance is known of the past');

const bucketsSchema = z.object({
  available_cents: z.int(),
  pending_cents: knownSchema,
  blocked_cents: knownSchema,
  total_cents: knownSchema,
});

/** Balances as contract 0.1 shows them (spec 2.3): `brl` and `usdt` are always present. */
export const balanceResourceSchema = z.object({ brl: bucketsSchema, usdt: bucketsSchema });
export type BalanceResource = z.infer<typeof balanceResourceSchema>;

export function presentBalance(balances: readonly KnownBalance[]): BalanceResource {
  const buckets = (currency: Currency) => {
    const found = balances.find((balance) => balance.currency === currency);
    const { available = 0, pending = 0, blocked = 0 } = found ?? {};
    return {
      available_cents: available,
      pending_cents: pending,
      blocked_cents: blocked,
      total_cents: totalOf({ available, pending, blocked }),
    };
  };
  return { brl: buckets('BRL'), usdt: buckets('USDT') };
}
