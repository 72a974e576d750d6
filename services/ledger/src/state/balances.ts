import type { Currency } from '@gateway/money';
import type { SystemAccount } from '#src/posting/posting.ts';

/** A merchant's balance row. */
export interface MerchantBalance {
  readonly accountId: string;
  readonly currency: Currency;
  readonly available: number;
  readonly pending: number;
  readonly blocked: number;
  /** Entries so far: the number of the newest one. */
  readonly entries: number;
  /** Counts the writes of the row; 0 means there is no row yet. */
  readonly version: number;
}

/** One of our own accounts. */
export interface SystemBalance {
  readonly account: SystemAccount;
  readonly currency: Currency;
  readonly amount: number;
  readonly version: number;
}

export function merchantKey(accountId: string, currency: string): string {
  return `${accountId} ${currency}`;
}

export function systemKey(account: string, currency: string): string {
  return `${account} ${currency}`;
}

export function emptyMerchantBalance(accountId: string, currency: Currency): MerchantBalance {
  return { accountId, currency, available: 0, pending: 0, blocked: 0, entries: 0, version: 0 };
}

export function emptySystemBalance(account: SystemAccount, currency: Currency): SystemBalance {
  return { account, currency, amount: 0, version: 0 };
}
