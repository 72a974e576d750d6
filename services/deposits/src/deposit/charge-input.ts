import { moves } from '@gateway/money';
import type { ChargeInput } from '@gateway/providers';
import type { DepositRow } from '#src/deposit/deposit-entity.ts';
import { unixSeconds } from '#src/deposit/to-deposit.ts';

/** What the provider is asked for; follows from the record alone, so that every retry asks the same. */
export function chargeInputOf(deposit: DepositRow): ChargeInput {
  const { currency, paymentMethod, payer } = deposit;
  if (!moves(currency, paymentMethod)) throw new Error(`no rail moves ${currency} by ${paymentMethod}`);
  return {
    ref: deposit.reference,
    createdAt: deposit.createdAt,
    money: { currency, amount: deposit.amount },
    expiresInSec: unixSeconds(deposit.expiresAt) - unixSeconds(deposit.createdAt),
    payer: payer
      ? {
          name: payer.name ?? undefined,
          document: payer.document ?? undefined,
          email: payer.email ?? undefined,
          phone: payer.phone ?? undefined,
        }
      : undefined,
  };
}
