import type { LedgerEntryType, LedgerRefType } from '@gateway/contracts/ledger';
import type { Currency } from '@gateway/money';

/** Accounts of our own; `provider:`, `transit:` and `treasury:` carry a name. Negative means money we hold there. */
export type SystemAccount =
  | 'fees'
  | 'fx'
  | 'own-funds'
  | 'provider-costs'
  | 'receivables'
  | 'suspense'
  | 'trading-fees'
  | `provider:${string}`
  | `transit:${string}`
  | `treasury:${string}`;

/** The entry that a movement of `available` has in the merchant's statement. */
export interface EntryDetails {
  readonly type: LedgerEntryType;
  readonly refType: LedgerRefType;
  readonly refId: string;
}

/**
 * One leg of a transaction, signed, in minor units. Only `available` has an entry, and always one: that entries add up
 * to `available` (spec 2.3) follows from this type.
 */
export type Posting =
  | {
      readonly bucket: 'available';
      readonly accountId: string;
      readonly currency: Currency;
      readonly amount: number;
      readonly entry: EntryDetails;
    }
  | {
      readonly bucket: 'pending' | 'blocked';
      readonly accountId: string;
      readonly currency: Currency;
      readonly amount: number;
    }
  | {
      readonly bucket: 'system';
      readonly account: SystemAccount;
      readonly currency: Currency;
      readonly amount: number;
    };

/** The merchant account and currency of a balance. */
export interface Owner {
  readonly accountId: string;
  readonly currency: Currency;
}

export function available({ accountId, currency }: Owner, amount: number, entry: EntryDetails): Posting {
  return { bucket: 'available', accountId, currency, amount, entry };
}

export function pending({ accountId, currency }: Owner, amount: number): Posting {
  return { bucket: 'pending', accountId, currency, amount };
}

export function blocked({ accountId, currency }: Owner, amount: number): Posting {
  return { bucket: 'blocked', accountId, currency, amount };
}

export function system(account: SystemAccount, currency: Currency, amount: number): Posting {
  return { bucket: 'system', account, currency, amount };
}

/** Holds the money of payouts until the rail answers. A payout's provider is chosen later, so all share one account. */
export const payoutTransit: SystemAccount = 'transit:payouts';

/** Our account at an exchange. */
export function treasuryAccount(venue: string): SystemAccount {
  return `treasury:${venue}`;
}

export function providerAccount(provider: string): SystemAccount {
  return `provider:${provider}`;
}
