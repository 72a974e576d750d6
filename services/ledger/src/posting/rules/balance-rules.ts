import { available, providerAccount, system, treasuryAccount } from '#src/posting/posting.ts';
import { refuse, type Rule } from '#src/posting/rule.ts';

/** Both currencies balance on their own, at a rate that still holds: available −a, fx +a; fx −b, available +b. */
export const convert: Rule<'convert'> = (command, _view, atMs) => {
  if (command.currency === command.targetCurrency) return refuse('currency_mismatch');
  if (command.notAfter !== undefined && atMs >= command.notAfter * 1_000) return refuse('deadline_passed');
  const entry = { type: 'CONVERSION', refType: 'conversion', refId: command.conversionId } as const;
  const target = { accountId: command.accountId, currency: command.targetCurrency };
  return {
    postings: [
      available(command, -command.amount, entry),
      system('fx', command.currency, command.amount),
      system('fx', command.targetCurrency, -command.targetAmount),
      available(target, command.targetAmount, entry),
    ],
    references: [],
  };
};

/**
 * treasury +a, trading-fees −fee, fx −(a − fee); treasury −b, fx +b. What `fx` owes in USDT becomes less by what is held for
 * it; what is left on it in local currency, once nothing is owed, is the result of the exchange.
 */
export const bookTrade: Rule<'book-trade'> = (command) => {
  if (command.currency === command.targetCurrency) return refuse('currency_mismatch');
  const treasury = treasuryAccount(command.venue);
  return {
    postings: [
      system(treasury, command.currency, command.amount),
      system('trading-fees', command.currency, -command.fee),
      system('fx', command.currency, command.fee - command.amount),
      system(treasury, command.targetCurrency, -command.targetAmount),
      system('fx', command.targetCurrency, command.targetAmount),
    ],
    references: [],
  };
};

/** provider +a, provider-costs −a: what a provider takes for itself is our cost, and no merchant's. */
export const providerFee: Rule<'provider-fee'> = (command) => ({
  postings: [
    system(providerAccount(command.provider), command.currency, command.amount),
    system('provider-costs', command.currency, -command.amount),
  ],
  references: [],
});

/** provider −a, own-funds +a: what we put into an account at a provider, or took out of it, is no merchant's. */
export const ownFunds: Rule<'own-funds'> = (command) => ({
  postings: [
    system(providerAccount(command.provider), command.currency, -command.amount),
    system('own-funds', command.currency, command.amount),
  ],
  references: [],
});

/** available ±x, suspense ∓x. */
export const adjust: Rule<'adjust'> = (command) => ({
  postings: [
    available(command, command.amount, { type: 'ADJUSTMENT', refType: 'adjustment', refId: command.adjustmentId }),
    system('suspense', command.currency, -command.amount),
  ],
  references: [],
});
