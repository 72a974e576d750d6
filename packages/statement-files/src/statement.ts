import type { Currency } from '@gateway/money';

/** Whose money a statement describes. */
export interface StatementAccount {
  /** Ours, `acc_…`; in a file of a provider, the number of the account there. */
  readonly id: string;
  readonly name: string | null;
  /** A tax document without punctuation; null where it is not known. */
  readonly document: string | null;
}

/** From the first moment of a day to the first moment after the last one, half open, in a time zone (IANA). */
export interface StatementPeriod {
  readonly fromMs: number;
  readonly toMs: number;
  readonly zone: string;
}

/** One movement of the balance. Amounts are integers in minor units and signed: `net = gross − fee`. */
export interface StatementMovement<Type extends string = string> {
  /** Of the entry; unique within the account. */
  readonly entryId: string;
  /** When it was booked; of a file that knows days alone, the first moment of the day. */
  readonly bookedAtMs: number;
  /** Ours as in `/v1/transactions`; in a file of a provider, its own word for the kind. */
  readonly type: Type;
  /** The deposit, payout, refund, dispute, conversion or adjustment. */
  readonly recordId: string | null;
  /** The owner's own reference of that record. */
  readonly externalId: string | null;
  /** Of the transfer on its rail. */
  readonly e2eId: string | null;
  /** What moved before the fee; null where it is not known, and then so is the fee. */
  readonly gross: number | null;
  readonly fee: number | null;
  /** By how much the balance changed. */
  readonly net: number;
  /** The balance right after it; null where the file has none. */
  readonly balanceAfter: number | null;
  readonly counterparty: { readonly name: string | null; readonly document: string | null } | null;
}

/** What a statement has beside its movements: `opening` and all of `net` are `closing`. Its balances are null where a file has none. */
export interface StatementHeader<Balance extends number | null = number | null> {
  /** Of this statement: ours is the id of the export. */
  readonly id: string;
  /** Of the statement in the order of the days of its account, where the format has a number. */
  readonly number: number;
  readonly createdAtMs: number;
  readonly account: StatementAccount;
  readonly currency: Currency;
  readonly period: StatementPeriod;
  /** Balances at both ends of the period, in minor units. */
  readonly opening: Balance;
  readonly closing: Balance;
}
