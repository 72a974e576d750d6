import type { LedgerCommand } from '@gateway/contracts/ledger';
import { newId } from '@gateway/money';

export const creditCents = 10_000;
export const feeCents = 100;

/** The accounts commands are for: one is in every command, or each has its share. */
export function accounts(count: number): string[] {
  return Array.from({ length: count }, () => newId('account'));
}

/** One deposit credited: three postings, one public entry, one record for later refunds. */
export function creditCommand(accountId: string): LedgerCommand {
  const depositId = newId('deposit');
  return {
    kind: 'credit-deposit',
    id: `credit-deposit:${depositId}`,
    environment: 'test',
    accountId,
    currency: 'BRL',
    depositId,
    provider: 'sandbox',
    amount: creditCents,
    fee: feeCents,
    releaseAt: null,
  };
}

/** Takes turns through the accounts in an order that keeps neighbours apart, as real traffic does. */
export function turns(accountIds: readonly string[]): () => string {
  const stride = 7_919;
  let next = 0;
  return () => accountIds[(next++ * stride) % accountIds.length] ?? '';
}
