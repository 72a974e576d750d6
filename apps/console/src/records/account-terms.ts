import type { Account, Currency } from '#src/generated/types.gen.ts';

/** What an account may have of its own in each of these; what is not stated of pesos is as in reais. */
export const termCurrencies = ['BRL', 'MXN'] as const satisfies readonly Currency[];
export type TermCurrency = (typeof termCurrencies)[number];

/** What it may pay out without an operator. */
export function limitsIn({ payout_limits: limits }: Pick<Account, 'payout_limits'>, currency: Currency) {
  return (currency === 'MXN' ? limits.MXN : undefined) ?? limits;
}

/** What is kept of its payments and payouts. */
export function feesIn({ fees }: Pick<Account, 'fees'>, currency: Currency) {
  return (currency === 'MXN' ? fees.MXN : undefined) ?? fees;
}
